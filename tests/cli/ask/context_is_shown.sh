"$ASSAY" ask 'when does the ferry leave?' --documents "$FIX/benchmark/harbour.json" -k 2 -m bm25 --context \
    --answers 'extract(sentences=1,chunks=1)'
