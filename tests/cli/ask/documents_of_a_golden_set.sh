"$ASSAY" ask 'when does the ferry leave?' --documents "$FIX/benchmark/harbour.json" -k 2
