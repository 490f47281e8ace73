"$ASSAY" runs convert "$FIX/run/kebab/good.jsonl" --to trec
