# Rules of assay.yaml, and flags that win over them.
cp $FIX/gate/*.jsonl $FIX/gate/golden.yaml $FIX/gate/baseline.txt .
cat >assay.yaml <<'END'
golden: golden.yaml
baseline: baseline.txt
gate:
  thresholds: {mrr: 0.5, recall@5: 0.9}
  max_drop: {mrr: 10%}
  protect: [q1, q2]
  alpha: 0.1
END
$ASSAY gate better.jsonl --format github
echo "exit $?"
$ASSAY gate after.jsonl --format github --protect q1 --threshold 'recall@5>=0.5'
echo "exit $?"
printf 'thresholds: {mrr: 0.99}\n' >other.yaml
$ASSAY gate better.jsonl --config other.yaml --format github
echo "exit $?"
printf 'gate:\n  thresholds: {mrr: high}\n' >bad.yaml
$ASSAY gate better.jsonl --config bad.yaml
echo "exit $?"
