mkdir docs
printf '# Fees\n\nThe owner pays.\n\n## Discounts\n\nSmall boats pay half.\n' > docs/fees.md
"$ASSAY" ingest docs > ingest.log 2>&1 || cat ingest.log
set -- $("$ASSAY" corpus chunks fees.md --json | sed -n 's/.*"chunk_id": "\([0-9a-f]*\)".*/\1/p')
cat > golden.yaml <<'END'
queries:
  - {id: q1, query: who pays, relevant: [{doc: fees.md, quote: The owner pays.}]}
  - {id: q2, query: who pays, relevant: [{doc: fees.md, quote: The owner pays.}]}
  - {id: q3, query: who pays, relevant: [{doc: fees.md, quote: The owner pays.}]}
  - {id: q4, query: who pays, relevant: [{doc: fees.md, quote: The owner pays.}]}
  - {id: q5, query: who pays, relevant: [{doc: fees.md, quote: The owner pays.}]}
  - {id: q6, query: who pays, relevant: [{doc: fees.md, quote: The owner pays.}]}
END
# Retrieved, and cited: the second chunk. Cited: the first chunk, which is real; one that is
# not; lines that are there and lines that are not; bytes beyond the end.
hit="\"hits\":[{\"chunk_id\":\"$2\",\"doc_id\":\"fees.md\"}]"
cat > run.jsonl <<END
{"query_id":"q1",$hit,"answer":{"answer":"The owner [1].","citations":[{"chunk_id":"$1"}]}}
{"query_id":"q2",$hit,"answer":{"answer":"The owner [1].","citations":[{"chunk_id":"00000000000000000000000000000000"}]}}
{"query_id":"q3",$hit,"answer":{"answer":"The owner [1].","citations":[{"path":"fees.md","lines":[3,3]}]}}
{"query_id":"q4",$hit,"answer":{"answer":"The owner [1].","citations":[{"path":"fees.md","lines":[30,40]}]}}
{"query_id":"q5",$hit,"answer":{"answer":"The owner [1].","citations":[{"doc_id":"fees.md","span":[500,600]}]}}
{"query_id":"q6",$hit,"answer":{"answer":"The owner [1].","citations":[{"chunk_id":"$2"}]}}
END
m=citation_coverage,citation_precision,citation_recall
"$ASSAY" eval run.jsonl --golden golden.yaml --corpus main -m $m --queries --format csv
echo without the corpus
"$ASSAY" eval run.jsonl --golden golden.yaml -m citation_coverage --queries --format csv
