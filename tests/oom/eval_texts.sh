# Hits that are only text, looked for in a corpus that is made with memory enough.
mkdir docs
printf '# A\n\nWords of the first file.\n' >docs/a.md
printf '# B\n\nOther words, of the second.\n' >docs/b.md
env -u ASSAY_FAIL_ALLOC "$ASSAY" ingest docs --quiet >/dev/null || exit
printf 'version: 1\nqueries:\n  - {id: q, query: a, relevant: [{doc: a.md, quote: first file}]}\n' >golden.yaml
printf '{"query_id":"q","hits":[{"text":"Words of the FIRST file"},{"text":"%s"}]}\n' \
    'Nowhere in any of these' >run.jsonl
"$ASSAY" eval run.jsonl --golden golden.yaml --corpus main --threads 1 --quiet -m mrr
