# bob's three means; mrr falls by 0.0208, recall@5 and precision@5 do not.
cd $FIX/gate
$ASSAY gate after.jsonl -g golden.yaml --baseline before.jsonl --tolerance 0.05 --format github; echo "exit $?"
$ASSAY gate after.jsonl -g golden.yaml --baseline before.jsonl --tolerance 0.02 --format github; echo "exit $?"
