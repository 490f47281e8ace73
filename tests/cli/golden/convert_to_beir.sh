cp "$FIX/golden/evalvault/good.json" .
"$ASSAY" golden convert good.json --to beir -o folder && find folder -type f | sort && cat folder/*.jsonl folder/qrels/*
