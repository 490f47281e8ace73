cd $FIX/eval
$ASSAY eval nosuch.jsonl --golden kebab.golden.yaml; echo "exit $?"
$ASSAY eval kebab_a.jsonl --golden nosuch.yaml; echo "exit $?"
$ASSAY eval kebab_a.jsonl --golden kebab.golden.yaml -m nosuch@5; echo "exit $?"
$ASSAY eval kebab_a.jsonl --golden kebab.golden.yaml --level evidence -m mrr; echo "exit $?"
$ASSAY eval; echo "exit $?"
