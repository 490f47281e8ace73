run() { "$ASSAY" run --golden "$FIX/benchmark/harbour.json" --metric mrr --quiet "$@" | grep -v -e ^run_ -e '^stored'; }
run --limit 2
run --only q-2
"$ASSAY" run --golden "$FIX/benchmark/harbour.json" --only nobody; echo "rc $?"
# A draft is one thing, a query that was not wanted another.
printf 'version: 1\nqueries:\n' >golden.yaml
for id in a b c d; do printf '  - {id: %s, query: w, relevant: [{doc: d}]}\n' $id; done | sed '$s/}$/, state: draft}/' >>golden.yaml
echo '{"query_id":"a","hits":[{"doc_id":"d"}]}' >run.jsonl
"$ASSAY" run --golden golden.yaml --system file:run.jsonl --limit 1 --metric mrr --quiet | grep -e '^queries' -e drafts -e plan
