cd "$FIX/golden/kebab" && "$ASSAY" golden check bad_expected_chunks.yaml
