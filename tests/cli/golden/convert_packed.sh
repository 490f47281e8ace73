"$ASSAY" golden convert "$FIX/golden/trec/good.qrels" --to trec -o out.qrels.gz --quiet
"$ASSAY" golden convert out.qrels.gz --to trec
