"$ASSAY" runs convert --quiet "$FIX/run/kebab/good.jsonl" --to trec &&
    "$ASSAY" runs convert --quiet "$FIX/run/jsonl/good_full.jsonl" --to jsonl
