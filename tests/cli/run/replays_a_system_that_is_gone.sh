cp "$FIX/systems/odd.sh" .
cat > golden.yaml <<'X'
version: 1
queries:
  - {id: q1, query: one, relevant: [{doc: d-q1}]}
  - {id: q2, query: error, relevant: [{doc: d-q2}]}
  - {id: q3, query: crash, relevant: [{doc: d-q3}]}
  - {id: q4, query: noid, relevant: [{doc: no-id}]}
X
run() { "$ASSAY" run --golden golden.yaml --system 'cmd:sh odd.sh good' --retries 0 --metric hit@1 --quiet "$@"; }
run --record tape.jsonl >/dev/null 2>&1; echo "rc $?"
"$ASSAY" runs export latest --as jsonl >first.jsonl
mv odd.sh gone.sh
run --replay tape.jsonl >/dev/null 2>&1; echo "rc $?"
"$ASSAY" runs export latest --as jsonl >second.jsonl
cmp first.jsonl second.jsonl && wc -l <second.jsonl
# For each query a process, and lines of ids: the same.
"$ASSAY" run --golden golden.yaml --system "cmd:echo {id}" --record once.jsonl --metric hit@1 --quiet >/dev/null 2>&1; echo "rc $?"
"$ASSAY" runs export latest --as jsonl >first.jsonl
PATH=/nowhere "$ASSAY" run --golden golden.yaml --system "cmd:echo {id}" --replay once.jsonl --metric hit@1 --quiet >/dev/null 2>&1; echo "rc $?"
"$ASSAY" runs export latest --as jsonl >second.jsonl
cmp first.jsonl second.jsonl && grep -c '"doc_id":"q' second.jsonl
