# Chunk ids alone, of two chunkings, measured at the level of evidence; the huge chunks
# find everything, and what they cost stands beside it.
. "$SRC/tests/cli/golden/corpus.inc"
cat >golden.yaml <<'END'
version: 1
queries:
  - {id: a, query: Who approves?, relevant: [{doc: refunds.md, quote: the finance lead}]}
  - {id: b, query: Who signs?, relevant: [{doc: refunds.md, heading: Limits}, {doc: gone.md}]}
  - {id: c, query: How long?, relevant: [{doc: faq.md, quote: "Ten days at most."}]}
  - {id: d, query: What else?, relevant: [{doc: gone.md}]}
END
hit() { printf '{"query_id":"%s","hits":[{"chunk_id":"%s"},{"chunk_id":"%s"}]}\n' "$@"; }
{
    hit a "$(id refunds.md 2)" "$(id faq.md 1)"
    hit b "$(id refunds.md 2)" "$(id refunds.md 3)"
    hit c "$(id refunds.md 1)" "$(id refunds.md 2)"
} >sections.jsonl
"$ASSAY" ingest docs --chunker whole --quiet >/dev/null
{
    hit a "$(id refunds.md 1)" "$(id faq.md 1)"
    hit b "$(id refunds.md 1)" "$(id faq.md 1)"
    hit c "$(id faq.md 1)" 123
} >whole.jsonl
"$ASSAY" eval sections.jsonl whole.jsonl --golden golden.yaml --corpus main \
    -m hit@1,recall@2,evidence_recall@2,evidence_precision@2,evidence_cost@2
echo "exit $?"
# Without asking for anything the cost is there as well.
"$ASSAY" eval sections.jsonl --golden golden.yaml --corpus main | grep evidence
# At the level of chunks the anchors make relevant the chunks that find them.
"$ASSAY" eval sections.jsonl whole.jsonl --golden golden.yaml --corpus main --level chunk \
    -m num_rel,recall@2 --format csv
"$ASSAY" eval sections.jsonl --golden golden.yaml --corpus main --strict
echo "exit $?"
"$ASSAY" eval sections.jsonl --golden golden.yaml --corpus main --json | grep -A12 '"notes"'
