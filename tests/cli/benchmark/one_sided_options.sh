"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" --embedder lsa --embedding-profile dev
