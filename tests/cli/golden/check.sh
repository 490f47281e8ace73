cd "$FIX/golden/assay" && "$ASSAY" golden check good.yaml
