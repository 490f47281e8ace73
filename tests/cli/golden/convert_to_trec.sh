cp "$FIX/golden/evalvault/good.json" . && "$ASSAY" golden convert good.json --to trec --topics-out topics.tsv && cat topics.tsv
