"$ASSAY" stages "$FIX/stages/events.jsonl" --relevance-map "$FIX/stages/relevance.json"
