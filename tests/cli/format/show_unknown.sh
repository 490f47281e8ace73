"$ASSAY" format show xml
