cd "$FIX/golden/evalvault" && "$ASSAY" golden check good_legacy.json --json
