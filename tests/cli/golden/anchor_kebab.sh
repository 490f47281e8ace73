# A kebab file cannot hold anchors: a new file is written in assay's own format.
. "$SRC/tests/cli/golden/corpus.inc"
cat >kebab.yaml <<END
- id: g1
  query: Who approves?
  expected_doc_ids: [refunds.md]
  expected_chunk_ids: ["$(id refunds.md 2)", "$(id refunds.md 3)"]
- id: g2
  query: Who won?
  expected_doc_ids: []
END
"$ASSAY" golden anchor kebab.yaml --corpus main --write
echo "exit $?"
"$ASSAY" golden anchor kebab.yaml --corpus main -o golden.yaml | sed 's/chunk: .*}/chunk: ID}/'
cat golden.yaml
"$ASSAY" golden anchor kebab.yaml --corpus main -o golden.json --quiet
"$ASSAY" golden check golden.json --corpus main --quiet | sed -n '/^corpus/,/lost/p'
