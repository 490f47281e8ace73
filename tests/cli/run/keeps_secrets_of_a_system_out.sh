cp "$FIX/systems/odd.sh" .
cat > golden.yaml <<'X'
version: 1
queries:
  - {id: q1, query: env, relevant: [{doc: d-q1}]}
X
ASSAY_API_KEY=very-secret-key "$ASSAY" run --golden golden.yaml --answers --record tape.jsonl \
    --system 'cmd:sh odd.sh --token word-of-mouth' --metric hit@1 --quiet >out 2>&1
echo "rc $?"
"$ASSAY" runs export latest >bundle.jsonl
cat out bundle.jsonl tape.jsonl .assay/assay.db* | grep -a -c -e very-secret -e word-of-mouth
grep -o 'cmd:sh odd.sh [^"]*' bundle.jsonl | sort -u
# An address hides its password also where its query names a key.
"$ASSAY" run --golden golden.yaml --system 'cmd:sh odd.sh good http://ann:hunter2-x@host/q?api_key=word-of-mouth' \
    --metric hit@1 --quiet >out 2>&1
"$ASSAY" runs export latest >bundle.jsonl
cat out bundle.jsonl .assay/assay.db* | grep -a -c -e hunter2 -e word-of-mouth
grep -o 'cmd:sh odd.sh good [^"]*' bundle.jsonl | sort -u
