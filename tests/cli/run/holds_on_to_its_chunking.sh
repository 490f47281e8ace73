mkdir docs && printf '# Boats\n\nThe ferry leaves at nine.\n\n## Fees\n\nMooring costs ten.\n' > docs/a.md
cat > g.yaml <<'X'
version: 1
queries:
  - {id: q1, query: When does the ferry leave?, relevant: [{doc: docs/a.md, quote: The ferry leaves at nine}]}
X
"$ASSAY" ingest docs --quiet >out
"$ASSAY" run --golden g.yaml --quiet --metric mrr >out
id=$(grep -o 'run_[0-9a-f]*' out)
"$ASSAY" ingest docs --chunker 'sentence(target=40)' --quiet >out
"$ASSAY" corpus prune | sed "s/$id/RUN/"
"$ASSAY" runs rm latest --yes | sed "s/$id/RUN/"
"$ASSAY" corpus prune | sed "s/$id/RUN/"
