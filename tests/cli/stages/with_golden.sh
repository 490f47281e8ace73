"$ASSAY" stages "$FIX/stages/events.jsonl" --golden "$FIX/stages/golden.json"
