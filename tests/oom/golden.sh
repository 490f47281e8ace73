# A golden set is recognised, read and counted.
"$ASSAY" golden check "$FIX/golden/assay/good.yaml" --quiet
