"$ASSAY" stages "$FIX/stages/events.jsonl" --profile prod
