"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m bm25 --fail-under recall@7=0.5 --quiet --format csv
