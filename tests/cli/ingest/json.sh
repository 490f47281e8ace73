# The summary for programs; a name with a line break, and a note.
mkdir docs
printf '# One\n' >docs/one.md
printf 'a\0b\0' >docs/blob
printf '{"id": "x", "text": "a"}\n{"id": "x", "text": "b"}\n' >'docs/twice
two.jsonl'
"$ASSAY" ingest docs --json
