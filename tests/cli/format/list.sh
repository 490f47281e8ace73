"$ASSAY" format list
