cd $FIX/gate && $ASSAY gate after.jsonl -g golden.yaml --baseline baseline.txt --protect all --margin mrr=0.05 --max-drop recall@5=0
