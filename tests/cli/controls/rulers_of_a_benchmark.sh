# bm25 stands beside the method that was asked for, and nothing competes with the oracle.
"$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" -m hybrid --controls --no-times --fail-under recall=0.9
