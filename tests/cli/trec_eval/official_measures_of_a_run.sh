"$ASSAY" trec_eval "$FIX/trec/tiny.qrels" "$FIX/trec/tiny.run"
