# Without rules, margins of the usual metrics against the baseline.
cd $FIX/gate
sed '/thresholds/,/mrr/d' golden.yaml >$TMPDIR/plain.yaml
$ASSAY gate better.jsonl -g $TMPDIR/plain.yaml --baseline before.jsonl
echo "exit $?"
$ASSAY gate better.jsonl -g $TMPDIR/plain.yaml
echo "exit $?"
