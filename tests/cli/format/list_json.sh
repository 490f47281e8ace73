"$ASSAY" format list --json
