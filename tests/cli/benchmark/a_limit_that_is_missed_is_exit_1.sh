"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m bm25 --fail-under mrr=0.5 --quiet --format csv
"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m bm25 --fail-under Recall@5=1.01 --quiet --format csv
