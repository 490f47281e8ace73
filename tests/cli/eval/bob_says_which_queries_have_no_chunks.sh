# q1 names a document only: bob's metrics are about chunks, so that it is not judged here.
cat > golden.yaml <<'G'
version: 1
name: mixed
queries:
  - {id: q1, query: one, relevant: [{doc: a.md}]}
  - {id: q2, query: two, relevant: [{chunk: c2}]}
  - {id: q3, query: three, relevant: []}
G
printf '%s\n' '{"query_id":"q1","hits":[{"chunk_id":"c1","doc_id":"a.md","score":1}]}' \
    '{"query_id":"q2","hits":[{"chunk_id":"c2","doc_id":"b.md","score":1}]}' \
    '{"query_id":"q3","hits":[]}' > run.jsonl
"$ASSAY" eval run.jsonl --golden golden.yaml --conventions bob --quiet
