#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# assay run against a real server that behaves badly on command, and the example that must be
# compiled.
set -u
cc -O1 -D_GNU_SOURCE -o odd_system "$SRC/tests/server/odd_system.c" || exit 1
./odd_system requests.log >port &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for _ in $(seq 50); do [ -s port ] && break; sleep 0.1; done
url=http://127.0.0.1:$(cat port)
passed=0 failed=0 skipped=0
cat >golden.yaml <<'X'
version: 1
queries:
  - {id: q1, query: one, relevant: [{doc: d-q1}]}
  - {id: q2, query: two, relevant: [{doc: d-q2}]}
  - {id: q3, query: three, relevant: [{doc: d-q3}]}
X

# ask PATH [ARG...]: exit code in $rc, output in out and err
ask()
{
    local path=$1
    shift
    "$ASSAY" run --golden golden.yaml --system "$url/$path" --metric hit@1 --quiet "$@" >out 2>err
    rc=$?
}

check()
{
    if eval "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not so: $1 (rc $rc)"
        sed 's/^/    /' out err
    fi
}

ask good --jobs 3
check 'three at once are asked and answer' '[ $rc = 0 ] && grep -q "^hit@1 .* 1.0000" out'
ask flaky
check 'a server that fails for a while is asked again' '[ $rc = 0 ]'
ask down --retries 1
check 'one that stays down fails each query and not the run' \
    '[ $rc = 1 ] && grep -q "3 of 3 queries failed" err && grep -q "status 503 (2 attempts): maintenance" out'
ask garbage
check 'garbage is quoted' '[ $rc = 1 ] && grep -q "reply:1:1: " out'
ask slow --timeout 0.3 --retries 0 --limit 1
check 'a slow one is given up on' '[ $rc = 1 ] && grep -qi "timed out" out'
ask half --retries 0
check 'half a reply is none' '[ $rc = 1 ]'
ASSAY_API_KEY=secret-key-1234 ask refuse
check 'the key is sent, and is in no message' \
    'grep -q "^/refuse .* with key" requests.log && ! grep -q secret-key out err'
ASSAY_API_KEY='' OPENAI_API_KEY=secret-key-1234 ask good
check 'a key for OpenAI is sent to no system' '! grep "^/good" requests.log | tail -n 3 | grep -q "with key"'
check 'nor is one in the store' '! cat .assay/assay.db* | grep -a -q secret-key'
kill $server
wait $server 2>/dev/null
ask good
check 'nobody there is the end of the run' '[ $rc = 4 ] && grep -q "http://127.0.0.1" err'

# The compiler's first build takes minutes; what it keeps in its cache makes it seconds.
if go version >/dev/null 2>&1 && timeout 60 go build -o my_go "$SRC/docs/examples/my_system.go" 2>err; then
    "$ASSAY" run --golden "$SRC/samples/handbook.golden.yaml" --level doc --metric hit@5,mrr --quiet \
        --limit 12 --system "cmd:./my_go $SRC/samples/handbook" >go.out 2>>err
    rc=$?
    "$ASSAY" run --golden "$SRC/samples/handbook.golden.yaml" --level doc --metric hit@5,mrr --quiet \
        --limit 12 --system "cmd:sh $SRC/docs/examples/my_system.sh {query} {k} $SRC/samples/handbook" \
        >sh.out 2>>err
    check 'the example in Go finds what the one in shell finds' \
        '[ $rc = 0 ] && [ "$(grep -e ^hit -e ^mrr go.out)" = "$(grep -e ^hit -e ^mrr sh.out)" ]'
else
    echo 'skipped: no Go here, or it takes too long'
    skipped=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
