"$ASSAY" trec_eval -q -m map -m P.5 -m ndcg -m relstring.4 "$FIX/trec/tiny.qrels" "$FIX/trec/tiny.run"
