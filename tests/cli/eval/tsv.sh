cd $FIX/eval && $ASSAY eval kebab_a.jsonl kebab_b.jsonl --golden kebab.golden.yaml -m mrr,hit@1 --format tsv
$ASSAY eval kebab_a.jsonl --golden kebab.golden.yaml -m mrr -m hit@3 -q --format tsv
