#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The retriever rerank, against a real server that behaves badly on command.
set -u
cc -O1 -D_GNU_SOURCE -o odd_server "$SRC/tests/server/odd_server.c" || exit 1
./odd_server requests.log >port &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for _ in $(seq 50); do [ -s port ] && break; sleep 0.1; done
url=http://127.0.0.1:$(cat port)
passed=0 failed=0

# ask WAY PARAMS [ARG...]: exit code in $rc, output in out and err
ask()
{
    local way=$1 params=$2
    shift 2
    "$ASSAY" search 'crane harbour ferry' --documents "$SRC/tests/fixtures/benchmark/harbour.json" \
        -m "rerank(of=bm25$params)" --reranker "$url/$way/v1/rerank" --json "$@" >out 2>err
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

hits() { grep -e doc_id -e score out; }

ask good ''
hits >good
check 'three documents are sent and come back with scores' \
    '[ $rc = 0 ] && [ $(grep -c doc_id out) = 3 ] && grep -q "^/good/v1/rerank 3$" requests.log'
ask list ',model=m1'
check 'a list with score is as good' '[ $rc = 0 ] && hits | cmp -s - good'
ask flaky ''
check 'a server that fails for a while is asked again' '[ $rc = 0 ] && hits | cmp -s - good'
ask down ',retries=0'
check 'one that stays down is a failed query' '[ $rc = 4 ] && grep -q "status 503" err'
ask slow ',timeout=0.3,retries=0'
check 'a slow one is given up on' '[ $rc = 4 ] && grep -qi "timed out" err'
kill $server
wait $server 2>/dev/null
./odd_server requests.log >port &
server=$!
sleep 0.3
url=http://127.0.0.1:$(cat port)
ask garbage ''
check 'garbage is quoted' '[ $rc = 4 ] && grep -q "it sent .<html>hello" err'
ask cut ',retries=0'
check 'half a reply is none' '[ $rc = 4 ]'
ask error ''
check 'an error in a good reply is told' '[ $rc = 4 ] && grep -q "the reranker says .model not found" err'
ask few ''
check 'a document without a score is told' '[ $rc = 4 ] && grep -q "no result for document 2 of 3" err'
ask twice ''
check 'one that comes twice is told' '[ $rc = 4 ] && grep -q "two results for document 0" err'
ask nan ''
check 'a word is no score' '[ $rc = 4 ] && grep -q "has no number" err'
ASSAY_API_KEY=secret-key-1234 ask refuse ''
check 'the key is sent, and is in no message' \
    '[ $rc = 4 ] && grep -q "^/refuse/v1/rerank .* with key" requests.log && ! grep -q secret-key out err'
ASSAY_API_KEY='' OPENAI_API_KEY=secret-key-1234 ask good ''
check 'a key for OpenAI is sent to no reranker' '! grep "^/good" requests.log | grep -q "with key"'
ASSAY_API_KEY=secret-key-1234 "$ASSAY" run --golden "$SRC/tests/fixtures/benchmark/harbour.json" -m 'rerank(of=bm25)' \
    --reranker "$url/good/v1/rerank?token=hidden-5678" --metric mrr --quiet --record calls.jsonl >out 2>err
rc=$?
check 'a run with a server is made and recorded' '[ $rc = 0 ] && [ $(grep -c documents calls.jsonl) -ge 5 ]'
check 'neither store nor recording has a secret' \
    '! cat .assay/assay.db* calls.jsonl | grep -a -q -e secret-key -e hidden-5678'
grep ^mrr out >first
kill $server
wait $server 2>/dev/null
"$ASSAY" run --golden "$SRC/tests/fixtures/benchmark/harbour.json" -m 'rerank(of=bm25)' \
    --reranker "$url/good/v1/rerank" --metric mrr --quiet --replay calls.jsonl >out 2>err
rc=$?
check 'the recording answers without a server' '[ $rc = 0 ] && grep ^mrr out | cmp -s - first'
ask good ''
check 'nobody there is told at once' '[ $rc = 4 ] && grep -q "http://127.0.0.1" err'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
