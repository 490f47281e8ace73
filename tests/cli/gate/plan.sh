cd $FIX/gate
$ASSAY gate --plan mrr=0.05 --plan recall@5=0.1 after.jsonl --baseline before.jsonl -g golden.yaml
$ASSAY gate --plan mrr=0.05 after.jsonl -g golden.yaml --json
