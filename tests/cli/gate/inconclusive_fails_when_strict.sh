cd $FIX/gate && $ASSAY gate after.jsonl -g golden.yaml --baseline before.jsonl --margin mrr=0.05 --strict --format github
