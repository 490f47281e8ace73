run() { "$ASSAY" run --golden "$FIX/benchmark/harbour.json" --metric mrr --quiet "$@" | grep -v -e ^run_ -e '^stored'; }
run --limit 2
run --only q-2
"$ASSAY" run --golden "$FIX/benchmark/harbour.json" --only nobody
