"$ASSAY" trec_eval -q -R qrels_jg -m map_avgjg -m P_avgjg.5 "$FIX/trec/jg.qrels" "$FIX/trec/tiny.run"
