mkdir docs
printf '# Fees\n\nMooring is paid per night.\n\n# Ferry\n\nThe ferry leaves at seven.\n' > docs/harbour.md
printf 'version: 1\nqueries:\n  - {id: q, query: when does the ferry leave, relevant: [{doc: harbour.md}]}\n' > g.yaml
"$ASSAY" ingest docs --corpus h --quiet > ingest.out 2>&1
"$ASSAY" benchmark retrieval g.yaml --corpus h -m bm25 --json --quiet | grep -E '"(chunk_id|doc_id|score|recall_at_5)"'
