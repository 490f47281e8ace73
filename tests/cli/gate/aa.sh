cd $FIX/gate
$ASSAY gate --aa before.jsonl -g golden.yaml --max-drop mrr=0 --protect all || exit 1
$ASSAY gate --aa before.jsonl after.jsonl -g golden.yaml --margin mrr,recall@5 --json
