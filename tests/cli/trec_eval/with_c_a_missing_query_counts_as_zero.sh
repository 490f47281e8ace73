"$ASSAY" trec_eval -c -q -m map -m num_q -m num_ret "$FIX/trec/tiny.qrels" "$FIX/trec/missing.run"
