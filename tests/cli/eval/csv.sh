cd $FIX/eval && $ASSAY eval kebab_a.jsonl --golden kebab.golden.yaml -m mrr,hit@1 --format csv
