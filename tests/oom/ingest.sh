# A small tree into a new corpus.
mkdir docs
printf '# One\n\nText of one.\n\n## Two\n\nMore of it.\n' >docs/one.md
printf '{"id": "r1", "text": "first"}\n{"id": "r2", "text": "second"}\n' >docs/records.jsonl
printf 'packed' | gzip -n >docs/note.txt.gz
"$ASSAY" ingest docs --jobs 1 --quiet
