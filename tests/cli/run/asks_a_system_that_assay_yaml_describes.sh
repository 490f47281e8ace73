cp "$FIX/systems/odd.sh" .
cat > golden.yaml <<'X'
version: 1
queries:
  - {id: q1, query: one, relevant: [{doc: d-q1}]}
X
cat > assay.yaml <<'X'
version: 1
golden: golden.yaml
system:
  command: sh odd.sh good
  timeout: 5
X
"$ASSAY" run --metric hit@1 --quiet >out 2>&1; echo "rc $?"; grep hit@1 out
"$ASSAY" run --resume latest --metric hit@1 --quiet >out 2>&1; echo "rc $?"; grep hit@1 out
# Another system on the command line has none of its settings.
sed -i 's/timeout: 5/pointers: {hits: \/nowhere}/' assay.yaml
"$ASSAY" run --metric hit@1 --quiet >out 2>&1; echo "rc $?"; grep -o 'nothing at .*' out | head -1
"$ASSAY" run --system 'cmd:sh odd.sh other' --metric hit@1 --quiet >out 2>&1; echo "rc $?"; grep hit@1 out
# What does not fit is told with its place.
sed -i 's/hits:/hist:/' assay.yaml
"$ASSAY" run --quiet; echo "rc $?"
sed -i '/pointers/d; s/command: .*/timeout: 3/' assay.yaml
"$ASSAY" run --quiet; echo "rc $?"
# Methods that are asked for go before the system.
printf 'version: 1\ngolden: golden.yaml\nsystem: cmd:sh odd.sh good\n' > assay.yaml
"$ASSAY" run --method bm25 --quiet; echo "rc $?"
"$ASSAY" run --method bm25 --system file:x --quiet; echo "rc $?"
