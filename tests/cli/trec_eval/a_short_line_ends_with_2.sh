cp "$FIX/trec/tiny.qrels" "$FIX/trec/short.run" .
"$ASSAY" trec_eval -m map tiny.qrels short.run
