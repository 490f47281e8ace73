cd $FIX/eval && $ASSAY eval slices.run.jsonl --golden slices.golden.yaml -m hit@1,recall@2,mrr,recall@50 -q --ci
