"$ASSAY" stages "$FIX/run/stage/bad_attempt_zero.jsonl"
