"$ASSAY" golden check - <"$FIX/golden/trec/good.qrels"
