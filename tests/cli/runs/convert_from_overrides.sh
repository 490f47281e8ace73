"$ASSAY" runs convert "$FIX/run/trec/good.trec" --from jsonl --to trec
