"$ASSAY" runs convert "$FIX/run/bob/good_scores_only.json" --to jsonl
