cd $FIX/gate && $ASSAY gate after.jsonl -g golden.yaml --threshold 'recall@5>=0.8,hit@1<=0.9' --max-drop 'mrr=0.03,recall@5=5%' --baseline before.jsonl
