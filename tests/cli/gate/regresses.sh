cd $FIX/gate && $ASSAY gate after.jsonl -g golden.yaml --baseline before.jsonl --threshold 'mrr>=0.64' --max-drop 'mrr=2%' --protect q1,q2,q3
