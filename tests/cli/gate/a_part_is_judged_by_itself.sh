# A run of two queries out of eight (--only) is judged by those two, and says so: thresholds look
# at them alone (mrr (1 + 1) / 2), the other six are left out of the comparison, and a protected
# query that was not asked does not pass.
cp "$FIX"/gate/* .
mask() { sed -e 's/run_[0-9a-f]\{32\}/RUN/g' -e 's/20[0-9-]*T[0-9:.]*Z/TIME/g'; }
ask() { $ASSAY run -g golden.yaml --metric mrr -k 5 --quiet "$@" >/dev/null || echo "exit $?"; }
gate() { echo "== $*"; $ASSAY gate latest "$@" >out 2>err; rc=$?; mask <out; cat err; echo "exit $rc"; }
ask --system file:after.jsonl --only q1,q3
gate
gate --baseline baseline.txt --max-drop mrr=0
gate --baseline baseline.txt --max-drop mrr=0 --format github
gate --baseline baseline.txt --protect q1,q2
gate --baseline baseline.txt --protect all --json | sed -n '/"core"/,/"rules"/p; /"notes"/,$p'
echo "== a stored baseline says the same"
ask --system file:before.jsonl
$ASSAY baseline set latest >/dev/null
$ASSAY gate latest~1 --max-drop mrr=0 | grep 'left out, \|made with\|drop <='
