"$ASSAY" stages "$FIX/stages/integers.jsonl" --golden "$FIX/stages/golden.json"
