cd "$FIX/golden/evalvault" && "$ASSAY" golden check good.json --strict --quiet
