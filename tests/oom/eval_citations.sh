printf '{"query_id":"q1","hits":[{"doc_id":"a.md"}],"answer":{"answer":"Yes [1].","citations":[{"path":"a.md","lines":[1,2]},{"chunk_id":"0123456789abcdef0123456789abcdef"}]}}\n' > run.jsonl
printf 'queries:\n  - {id: q1, query: x, relevant: [{doc: a.md}]}\n  - {id: q2, query: y, should_refuse: true}\n' > golden.yaml
printf 'one\ntwo\nthree\n' > a.md
ASSAY_FAIL_ALLOC= "$ASSAY" ingest a.md >/dev/null 2>&1
"$ASSAY" eval run.jsonl --golden golden.yaml --corpus main -m citation_coverage,refusal_right --threads 1
