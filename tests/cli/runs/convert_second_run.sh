"$ASSAY" runs convert "$FIX/run/stage/good_two_runs.jsonl" --run-id r2 --to jsonl
