"$ASSAY" trec_eval -m map "$FIX/trec/tiny.qrels" "$FIX/trec/dup.run"
