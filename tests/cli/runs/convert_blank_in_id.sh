"$ASSAY" runs convert "$FIX/run/jsonl/good_korean.jsonl" --to trec
