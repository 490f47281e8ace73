# The queries ask for what goes wrong; the words beside it are stored with the run.
cat > golden.yaml <<'X'
version: 1
queries:
  - {id: q01, query: all is well, relevant: [{doc: d-q01}]}
  - {id: q02, query: crash, relevant: [{doc: d-q02}]}
  - {id: q03, query: garbage, relevant: [{doc: d-q03}]}
  - {id: q04, query: partial, relevant: [{doc: d-q04}]}
  - {id: q05, query: empty, relevant: [{doc: d-q05}]}
  - {id: q06, query: shape, relevant: [{doc: d-q06}]}
  - {id: q07, query: error, relevant: [{doc: d-q07}]}
  - {id: q08, query: other, relevant: [{doc: d-q08}]}
  - {id: q09, query: sleep, relevant: [{doc: d-q09}]}
  - {id: q10, query: and well again, relevant: [{doc: d-q10}]}
X
"$ASSAY" run --golden golden.yaml --system "cmd:sh $FIX/systems/odd.sh" --timeout 1 --retries 0 \
    --metric hit@1 --quiet --json >out 2>err
echo "rc $?"
sed -E 's/run_[0-9a-f]{32}/RUN/g' err
"$ASSAY" runs export latest --as jsonl >run.jsonl
grep -o -e '"query_id":"[^"]*"' -e '"error":"\([^"\\]\|\\.\)*"' -e '"doc_id":"d-[^"]*"' run.jsonl
