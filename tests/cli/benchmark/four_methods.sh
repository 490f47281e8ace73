# Values, without the times.
"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" --kg "$FIX/benchmark/harbour_kg.json" --format csv
