cd $FIX/eval && $ASSAY eval slices.run.jsonl --golden slices.golden.yaml -m mrr -q --json --quiet
