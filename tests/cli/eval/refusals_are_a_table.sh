cat > golden.yaml <<'END'
queries:
  - {id: q1, query: who pays, relevant: [{doc: fees}], must_contain: [owner]}
  - {id: q2, query: who pays more, relevant: [{doc: fees}], must_contain: [captain]}
  - {id: q3, query: who pays less, relevant: [{doc: fees}]}
  - {id: q4, query: who lost, relevant: [{doc: fees}]}
  - {id: r1, query: who is the king, should_refuse: true}
  - {id: r2, query: who is the queen, should_refuse: true}
  - {id: r3, query: who is the prince, should_refuse: true}
END
cat > run.jsonl <<'END'
{"query_id":"q1","hits":[{"doc_id":"fees"}],"answer":{"answer":"The owner pays [1].","citations":[{"marker":"[1]"}]}}
{"query_id":"q2","hits":[{"doc_id":"fees"}],"answer":{"answer":"The owner pays [1].","citations":[{"marker":"[1]"}]}}
{"query_id":"q3","hits":[{"doc_id":"fees"}],"answer":{"answer":"The documents do not say who pays less."}}
{"query_id":"r1","hits":[],"answer":{"answer":"자료에 없습니다.","citations":[]}}
{"query_id":"r2","hits":[{"doc_id":"fees"}],"answer":{"answer":"The queen is Ann [1].","citations":[{"marker":"[1]"}]}}
{"query_id":"r3","hits":[{"doc_id":"fees"}],"error":"timed out"}
END
"$ASSAY" eval run.jsonl --golden golden.yaml -m refusal_accuracy,refusal_right,refusal_wrong,answered_right,answered_wrong,unanswered
"$ASSAY" eval run.jsonl --golden golden.yaml -m refusal_accuracy --json | grep '"refusals"'
cp run.jsonl other.jsonl
"$ASSAY" eval run.jsonl other.jsonl --golden golden.yaml -m refusal_accuracy --format md | grep -A 6 '^| answers'
# Nothing was asked about answers.
"$ASSAY" eval run.jsonl --golden golden.yaml -m hit@1 | grep -c 'should refuse .*right'
true
