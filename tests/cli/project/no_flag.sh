# --no-NAME is for flags only.
"$ASSAY" golden check --no-from
"$ASSAY" golden check --no-strict "$FIX/golden/trec/good.qrels" | head -n 2 | tail -n 1
