# What fails is named with its reason, exit 1, and the rest is stored.
mkdir -p docs/a docs/b
printf '# One\n' >docs/a/one.md
printf '{"id": "x", "text": "a"}\n{"id": ' >docs/a/cut.jsonl
printf '{"id": "a/one.md", "text": "the same id"}\n' >docs/b/same.jsonl
"$ASSAY" ingest docs
