"$ASSAY" ask 'when does the ferry leave pier two, and who leads the office?' -m bm25 --jobs 1 --context \
    --documents "$FIX/benchmark/harbour.json"
