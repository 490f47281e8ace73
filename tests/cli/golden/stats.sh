cd "$FIX/golden/assay" && "$ASSAY" golden stats good.yaml
