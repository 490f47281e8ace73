cd $FIX/gate && $ASSAY gate better.jsonl -g golden.yaml --baseline before.jsonl --margin mrr
