cd $SRC/samples && $ASSAY compare runs/before.jsonl runs/after.jsonl --golden handbook.golden.yaml --format md
