"$ASSAY" golden stats "$FIX/golden/evalvault/good.json" --quiet
