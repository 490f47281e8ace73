try() { printf "$1" >b.txt; "$ASSAY" gate $FIX/gate/after.jsonl -g $FIX/gate/golden.yaml --baseline b.txt --margin mrr 2>&1; echo "exit $?"; }
head='assay baseline 1\nmetric: mrr 0.5 1 mrr\n'
try 'assay baseline 9\n'
try "${head}"
try "${head}query rank mrr judged\nq1 1 x ab\n"
try "${head}query rank mrr judged\nq1 1 1 ab\nq1 1 1 ab\n"
try "${head}query rank mrr judged\n<<<<<<< ours\n"
