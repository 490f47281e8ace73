"$ASSAY" stages "$FIX/stages/events.jsonl" --thresholds "$FIX/stages/thresholds.json" --profile prod --format csv --quiet
