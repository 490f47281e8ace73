cd $FIX/eval && $ASSAY eval slices.run.jsonl --golden slices.golden.yaml -m hit@1,mrr --by lang --min-n 2 --quiet
$ASSAY eval slices.run.jsonl --golden slices.golden.yaml -m mrr --by tag --min-n 1 --format csv --quiet
$ASSAY eval slices.run.jsonl --golden slices.golden.yaml -m mrr --by owner --min-n 1 --format csv --quiet
$ASSAY eval slices.run.jsonl --golden slices.golden.yaml -m mrr --by colour
