# trec_eval's whole way: judgments, run, all measures, every line.
"$ASSAY" trec_eval --threads 1 -q -m all_trec "$FIX/trec/tiny.qrels" "$FIX/trec/tiny.run"
