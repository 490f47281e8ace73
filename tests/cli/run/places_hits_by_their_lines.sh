# Lines of a document are bytes of it where a corpus is at hand; without one they are kept as lines.
mkdir docs
printf 'one\ntwo\nthree\nfour, the last\n' >docs/a.txt
"$ASSAY" ingest docs --quiet >/dev/null
printf 'version: 1\nqueries:\n  - {id: q, query: w, relevant: [{doc: a.txt, quote: three}]}\n' >golden.yaml
cat >run.jsonl <<'X'
{"query_id":"q","hits":[{"doc_id":"a.txt","score":4,"lines":[1,2]},{"doc_id":"a.txt","score":3,"lines":[3,4]},{"doc_id":"a.txt","score":2,"lines":[4,5]},{"doc_id":"b.txt","score":1,"lines":[1,1]}]}
X
run() { "$ASSAY" run --golden golden.yaml --system file:run.jsonl --metric mrr "$@" | grep -e level -e mrr; }
export_hits() { "$ASSAY" runs export latest --as jsonl | grep -o '"hits":.*}]'; }
run --corpus main
export_hits
run
export_hits
# Measured again in a corpus, and as a file.
"$ASSAY" runs export latest --as jsonl -o stored.jsonl
"$ASSAY" eval stored.jsonl --golden golden.yaml --corpus main -m mrr --quiet | grep -e level -e mrr
# A server of another shape.
cat >other.sh <<'X'
echo '{"found":[{"file":"a.txt","at":[3,3]},{"file":"a.txt","at":[0,3]}]}'
X
cat >assay.yaml <<'X'
version: 1
golden: golden.yaml
system:
  command: sh other.sh {query}
  pointers: {hits: /found, doc_id: /file, lines: /at}
X
"$ASSAY" run --metric mrr --quiet 2>&1 | grep failed:
sed -i 's/,{.*}]/]/' other.sh
run() { "$ASSAY" run --corpus main --metric mrr --quiet | grep -e level -e mrr; }
run
export_hits
