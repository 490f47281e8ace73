"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m bm52
