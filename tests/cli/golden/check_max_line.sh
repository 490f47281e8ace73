cd "$FIX/golden/trec" && "$ASSAY" golden check good.qrels --max-line 5
