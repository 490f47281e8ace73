echo "q9 Q0 d1 1 1 t" > other.run
"$ASSAY" trec_eval --compat 9 -m map "$FIX/trec/tiny.qrels" other.run
