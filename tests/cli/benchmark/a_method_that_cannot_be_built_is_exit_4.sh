"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m dense --embedder bert:no/such/folder
