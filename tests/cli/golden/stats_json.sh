cd "$FIX/golden/trec" && "$ASSAY" golden stats good.qrels --json
