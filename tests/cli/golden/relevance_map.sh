cd "$FIX/golden/evalvault" && "$ASSAY" golden relevance-map good.json
