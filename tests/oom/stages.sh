"$ASSAY" stages "$FIX/stages/events.jsonl" --quiet --golden "$FIX/stages/golden.json" \
    --relevance-map "$FIX/stages/relevance.json" --thresholds "$FIX/stages/thresholds.json" \
    --profile prod --json
