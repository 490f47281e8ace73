"$ASSAY" trec_eval -q -m map "$FIX/trec/tiny.qrels" "$FIX/trec/missing.run"
