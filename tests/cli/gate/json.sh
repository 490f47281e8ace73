cd $FIX/gate && $ASSAY gate after.jsonl -g golden.yaml --baseline baseline.txt --protect q2,q9 --margin mrr=0.05 --json
