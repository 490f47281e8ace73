"$ASSAY" trec_eval --full -m map -m ndcg -m num_rel "$FIX/trec/tiny.qrels" "$FIX/trec/tiny.run"
