cat "$FIX/run/trec/good.trec" | "$ASSAY" runs convert - --to jsonl
