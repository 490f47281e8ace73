"$ASSAY" stages "$FIX/run/stage/good_two_runs.jsonl" --run-id r3
