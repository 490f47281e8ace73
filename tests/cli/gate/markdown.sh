cd $FIX/gate && $ASSAY gate after.jsonl -g golden.yaml --baseline before.jsonl --protect all --margin mrr,recall@5 --format md
