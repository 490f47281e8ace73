"$ASSAY" golden convert "$FIX/golden/trec/good.qrels"
