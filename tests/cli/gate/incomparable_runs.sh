# The stored baseline was made with a golden set that judges everything otherwise: said once, exit 3.
cp "$FIX"/gate/* .
$ASSAY run -g other.yaml --metric mrr -k 5 --quiet --system file:before.jsonl >/dev/null
$ASSAY baseline set latest >/dev/null
$ASSAY run -g golden.yaml --metric mrr -k 5 --quiet --system file:after.jsonl >/dev/null
$ASSAY gate latest --max-drop mrr=0.5 --format junit | grep '<error\|testsuites name'
$ASSAY gate latest --max-drop mrr=0.5 >out
rc=$?
grep '^mrr' out
exit $rc
