"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m bm25,dense --embedder file:no-such.npy --allow-fallback --format csv
