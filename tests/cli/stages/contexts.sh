"$ASSAY" stages "$FIX/run/stage/good_contexts.jsonl"
