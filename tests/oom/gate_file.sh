# The same against a baseline file.
"$ASSAY" gate "$FIX/gate/better.jsonl" --golden "$FIX/gate/golden.yaml" --threads 1 --baseline "$FIX/gate/baseline.txt" \
    --margin mrr --protect q2
