cd "$FIX/golden/kebab" && "$ASSAY" golden convert good.yaml --to bob
