# Chunk ids become quotes with spans where they stand; comments stay. Nothing is written
# unless asked for.
. "$SRC/tests/cli/golden/corpus.inc"
cat >golden.yaml <<END
# kept
version: 1
queries:
  - id: a
    query: Who approves?   # kept
    relevant:
      - {chunk: "$(id refunds.md 2)", grade: 2}
      - {chunk: "$(id faq.md 1)"}   # with a comment behind
      - doc: refunds.md
        # inside
        chunk: "$(id refunds.md 3)"
        subtopic: limits
  - {id: b, query: How long?, relevant: [{chunk: "$(id faq.md 1)", x_who: me}, {doc: faq.md}]}
  - id: c
    query: Who signs?
    relevant:
      - {doc: refunds.md, quote: a second signature, span: 3-21}
      - {doc: refunds.md, quote: a second signature, lines: 2}
      - {chunk: "000102030405060708090a0b0c0d0e0f"}
END
cp golden.yaml before.yaml
"$ASSAY" golden anchor golden.yaml --corpus main >diff.txt
cmp golden.yaml before.yaml && echo unchanged
sed 's/"[0-9a-f]\{32\}"/"ID"/' diff.txt
"$ASSAY" golden anchor golden.yaml --corpus main --strict --write --quiet
echo "exit $?"
"$ASSAY" golden anchor golden.yaml --corpus main --write --quiet
"$ASSAY" golden check golden.yaml --corpus main --quiet | sed -n '/^corpus/,/lost/p'
# A corpus that never saw the chunks.
"$ASSAY" ingest docs --corpus other --chunker 'lines(size=2,overlap=0)' --quiet >/dev/null
"$ASSAY" golden check golden.yaml --corpus other --quiet | sed -n '/^corpus/,/lost/p'
