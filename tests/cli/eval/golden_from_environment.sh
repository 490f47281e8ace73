cd $FIX/eval && ASSAY_GOLDEN=kebab.golden.yaml $ASSAY eval kebab_a.jsonl -m mrr --format tsv
$ASSAY eval kebab_a.jsonl -m mrr
