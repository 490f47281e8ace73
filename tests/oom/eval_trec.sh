# Documents, all of trec_eval's measures, a table.
"$ASSAY" eval "$FIX/trec/tiny.run" --golden "$FIX/trec/tiny.qrels" --threads 1 -m all_trec
