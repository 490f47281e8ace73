"$ASSAY" search 'zzz' --documents "$FIX/benchmark/harbour.json"
