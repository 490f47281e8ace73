# A file of records is taken whole or not at all.
mkdir docs
printf '{"id": "a", "text": "one"}\n{"id": "a", "text": "two"}\n' >docs/twice.jsonl
printf '{"id": "b", "text": "one"}\n{"id": \n' >docs/cut.jsonl
printf '{"id": "c", "text": "one"}\n' >docs/first.jsonl
printf '{"id": "c", "text": "two"}\n{"id": "d", "text": "three"}\n' >docs/second.jsonl
"$ASSAY" ingest docs | sed 1,2d | grep -v hash
"$ASSAY" corpus show --format csv | tr -d '\r'
