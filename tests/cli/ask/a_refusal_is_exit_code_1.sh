"$ASSAY" ask 'what is the capital of Mongolia?' --documents "$FIX/benchmark/harbour.json" -m bm25
