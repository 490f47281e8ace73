"$ASSAY" ask 'x' --answers extrakt --documents "$FIX/benchmark/harbour.json"
"$ASSAY" ask 'x' --answers 'extract(treshold=1)' --documents "$FIX/benchmark/harbour.json"
