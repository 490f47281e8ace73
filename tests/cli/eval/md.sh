cd $FIX/eval && $ASSAY eval kebab_a.jsonl kebab_b.jsonl --golden kebab.golden.yaml -m mrr,hit@1 --best --format md
