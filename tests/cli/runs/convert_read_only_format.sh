"$ASSAY" runs convert "$FIX/run/trec/good.trec" --to bob
