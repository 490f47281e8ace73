cd $SRC/samples && $ASSAY compare runs/before.jsonl runs/after.jsonl --golden handbook.golden.yaml -m hit@1,mrr,recall@5
