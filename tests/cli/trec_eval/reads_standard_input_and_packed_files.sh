gzip -c "$FIX/trec/tiny.run" > tiny.run.gz
"$ASSAY" trec_eval -m map "$FIX/trec/tiny.qrels" - < "$FIX/trec/tiny.run"
"$ASSAY" trec_eval -m map "$FIX/trec/tiny.qrels" tiny.run.gz
