"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m 'hybrid(legs=bm25,dense.storage=int8)'
