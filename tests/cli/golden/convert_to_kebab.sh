cd "$FIX/golden/assay" && "$ASSAY" golden convert good.yaml --to kebab
