cd "$FIX/golden/assay" && "$ASSAY" golden stats good_odd_strings.yaml --format csv
