"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m bm25 --empty-relevance zero --format csv --quiet
"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m bm25 --empty-relevance skip --format csv --quiet
