cd $FIX/gate
try() { echo "\$ $*"; "$ASSAY" gate "$@" 2>&1; echo "exit $?"; }
try after.jsonl -g golden.yaml --max-drop mrr=0.01
try after.jsonl -g other.yaml --threshold 'recall@50>=0.1'
try after.jsonl -g golden.yaml --threshold 'recal@5>=0.1'
try after.jsonl -g golden.yaml --threshold 'recall@5'
try after.jsonl -g golden.yaml --margin mrr=x --baseline before.jsonl
try after.jsonl -g golden.yaml --margin map --baseline baseline.txt
try after.jsonl -g golden.yaml --alpha 0.7
try after.jsonl -g golden.yaml --write pdf=x
try after.jsonl before.jsonl -g golden.yaml
try after.jsonl -g golden.yaml --baseline nowhere.txt --margin mrr
try after.jsonl -g golden.yaml --plan mrr
try after.jsonl -g golden.yaml --protect q1,q9 --baseline before.jsonl --format github
