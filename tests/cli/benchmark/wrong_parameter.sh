"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m 'hybrid(kk=1)'
