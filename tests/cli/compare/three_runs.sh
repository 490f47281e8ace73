cd $SRC/samples && $ASSAY compare runs/before.jsonl runs/after.jsonl runs/before.jsonl --golden handbook.golden.yaml -m mrr --quiet
