: >empty.jsonl
"$ASSAY" runs convert empty.jsonl --to jsonl
