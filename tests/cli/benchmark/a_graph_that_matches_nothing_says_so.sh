"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m graphrag --kg "$FIX/benchmark/strangers_kg.json" --format csv
