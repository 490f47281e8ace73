"$ASSAY" golden check nowhere.yaml
