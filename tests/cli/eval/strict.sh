cd $FIX/eval && $ASSAY eval kebab_a.jsonl --golden kebab.golden.yaml -m mrr --format tsv --strict; echo "exit $?"
$ASSAY eval kebab_a.jsonl --golden kebab.golden.yaml -m hit@100 --format tsv --strict; echo "exit $?"
