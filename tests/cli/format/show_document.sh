$ASSAY format show html
