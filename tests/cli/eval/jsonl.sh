cd $FIX/eval && $ASSAY eval slices.run.jsonl --golden slices.golden.yaml -m mrr,hit@1 --format jsonl --quiet
$ASSAY eval slices.run.jsonl --golden slices.golden.yaml -m mrr,hit@1 -q --format jsonl --quiet
