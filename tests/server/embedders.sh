#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The embedders that talk to a server, against a real one that behaves badly on command.
set -u
cc -O1 -D_GNU_SOURCE -o odd_server "$SRC/tests/server/odd_server.c" || exit 1
./odd_server requests.log >port &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for _ in $(seq 50); do [ -s port ] && break; sleep 0.1; done
url=http://127.0.0.1:$(cat port)
passed=0 failed=0

# bench WAY EMBEDDER [ARG...]: exit code in $rc, output in out and err
bench()
{
    local way=$1 embedder=$2
    shift 2
    case "$*" in *--cache*) ;; *) set -- --no-cache "$@" ;; esac
    "$ASSAY" benchmark retrieval "$SRC/tests/fixtures/benchmark/harbour.json" -m dense --format csv \
        --embedder "$embedder" --embedding-url "$url/$way" "$@" >out 2>err
    rc=$?
}

check()
{
    if eval "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not so: $1"
        sed 's/^/    /' out err
    fi
}

bench good 'openai:m'
check 'openai answers are read, whatever their order' '[ $rc = 0 ] && grep -q ^dense, out'
cp out openai.out
bench good 'ollama:m'
check 'ollama answers are read, and the same vectors give the same figures' '[ $rc = 0 ] && cmp -s out openai.out'
bench good 'ollama:m(dims=4,batch=3)'
check 'vectors are cut, and requests hold a batch each' '[ $rc = 0 ] && grep -q "/good/api/embed 3" requests.log'
bench flaky 'ollama:m(dims=8)'
check 'a server that fails for a while is asked again' '[ $rc = 0 ]'
bench down 'ollama:m(dims=8,retries=1)'
check 'one that stays down is exit 4 with its words' \
    '[ $rc = 4 ] && grep -q "status 503 (2 attempts): maintenance until noon" err'
bench refuse 'ollama:m(dims=8)'
check 'a refusal is not tried again' '[ $rc = 4 ] && grep -q "status 401: {\"error\":\"bad key\"}" err'
bench garbage 'ollama:m(dims=8)'
check 'garbage is named with its place' '[ $rc = 4 ] && grep -q "/garbage/api/embed:1:1: " err'
bench mute 'ollama:m(dims=8,retries=0)'
check 'silence is said' '[ $rc = 4 ] && grep -qi "empty reply" err'
bench slow 'ollama:m(dims=8,retries=0,timeout=0.3)'
check 'a slow one is given up on' '[ $rc = 4 ] && grep -qi "timed out" err'
kill $server; wait $server 2>/dev/null
./odd_server requests.log >port &
server=$!
for _ in $(seq 50); do [ -s port ] && break; sleep 0.1; done
url=http://127.0.0.1:$(cat port)
bench cut 'ollama:m(dims=8)'
check 'half an answer is no answer' '[ $rc = 4 ] && grep -q "/cut/api/embed:1:" err'
bench few 'ollama:m(dims=8)'
check 'a vector too few is counted' '[ $rc = 4 ] && grep -q "7 vectors for 8 texts" err'
bench short 'ollama:m(dims=4)'
check 'vectors of different lengths are refused' '[ $rc = 4 ] && grep -q "a vector of 7 numbers after one of 8" err'
bench good 'ollama:m(dims=9)'
check 'vectors that are too short to be cut are refused' '[ $rc = 4 ] && grep -q "they cannot be cut to 9" err'
bench nan 'openai:m'
check 'what is no number is refused' '[ $rc = 4 ] && grep -q "a vector must hold numbers" err'
bench error 'ollama:m(dims=8)'
check 'the words of an error are passed on' '[ $rc = 4 ] && grep -q "model not found" err'
bench good 'ollama:'
check 'a model is needed' '[ $rc = 2 ] && grep -q "needs a model" err'
bench down 'ollama:m(dims=8,retries=0)' --allow-fallback
check 'a fallback is named' '[ $rc = 0 ] && grep -q "^dense,.*,bm25" out'

# The cache: what came once is not asked for again, also after a failure in between.
bench good 'openai:cached(dims=8,batch=4)' --cache cache.db
check 'a cache changes nothing' '[ $rc = 0 ] && cmp -s out openai.out'
n=$(wc -l <requests.log)
bench good 'openai:cached(dims=8,batch=4)' --cache cache.db
check 'and spares every request the second time' '[ $rc = 0 ] && [ "$(wc -l <requests.log)" = "$n" ]'

# A key goes out, and nowhere else.
ASSAY_API_KEY=secret bench good 'openai:m'
check 'the key is sent' 'tail -n 1 requests.log | grep -q "with key"'
ASSAY_API_KEY=secret bench refuse 'openai:m'
check 'and is in no message' '[ $rc = 4 ] && ! grep -q secret out err'

echo "$passed passed, $failed failed"
[ $failed = 0 ]
