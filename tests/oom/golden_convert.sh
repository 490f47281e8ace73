"$ASSAY" golden convert "$FIX/golden/kebab/good.yaml" --to evalvault --quiet
