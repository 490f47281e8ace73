# The documents change under the golden set: what survives, and what does not.
. "$SRC/tests/cli/golden/corpus.inc"
cat >golden.yaml <<END
version: 1
queries:
  - {id: kept, query: a, relevant: [{chunk: "$(id refunds.md 2)"}]}
  - {id: edited, query: b, relevant: [{chunk: "$(id refunds.md 3)"}]}
  - {id: half, query: c, relevant: [{chunk: "$(id faq.md 1)"}, {doc: refunds.md}]}
  - {id: gone, query: d, relevant: [{doc: faq.md, quote: Ten days}]}
END
sed -i -e 's/second signature/third signature/' -e '3i New words.\n' docs/refunds.md
rm docs/faq.md
"$ASSAY" ingest docs --chunker 'sentence(target=20)' --quiet >/dev/null
"$ASSAY" golden check golden.yaml --corpus main --quiet | sed '1,/^corpus/d'
cat >run.jsonl <<END
{"query_id":"kept","hits":[{"chunk_id":"$(id refunds.md 3)"},{"chunk_id":"$(id refunds.md 1)"}]}
{"query_id":"edited","hits":[{"chunk_id":"$(id refunds.md 4)"}]}
{"query_id":"gone","hits":[]}
END
"$ASSAY" eval run.jsonl --golden golden.yaml --corpus main -m hit@1,evidence_recall@1
echo "exit $?"
