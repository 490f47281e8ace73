"$ASSAY" trec_eval --compat 9 -q -m map -m num_q "$FIX/trec/tiny.qrels" "$FIX/trec/missing.run"
