ln -s "$ASSAY" trec_eval
./trec_eval -m map "$FIX/trec/tiny.qrels" "$FIX/trec/tiny.run"
