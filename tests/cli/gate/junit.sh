cd $FIX/gate && $ASSAY gate after.jsonl -g golden.yaml --baseline before.jsonl --protect all --margin mrr --threshold 'mrr>=0.7' --format junit
