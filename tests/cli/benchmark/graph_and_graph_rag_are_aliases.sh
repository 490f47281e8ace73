"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m graph,graph-rag --format csv --quiet | cut -d, -f1
