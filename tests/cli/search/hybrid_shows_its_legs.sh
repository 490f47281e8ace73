"$ASSAY" search 'mooring fees' --documents "$FIX/benchmark/harbour.json" -k 2 -m hybrid
