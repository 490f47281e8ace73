"$ASSAY" trec_eval -h -m map | sed -n '1p;/^map/,$p'
