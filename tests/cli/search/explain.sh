"$ASSAY" search 'when does the ferry leave' --documents "$FIX/benchmark/harbour.json" -k 2 --explain
