#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Calls to a real server are recorded, the server is stopped, and the recording answers.
set -u
cc -O1 -D_GNU_SOURCE -o odd_server "$SRC/tests/server/odd_server.c" || exit 1
./odd_server requests.log >port &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for _ in $(seq 50); do [ -s port ] && break; sleep 0.1; done
url=http://127.0.0.1:$(cat port)
harbour=$SRC/tests/fixtures/benchmark/harbour.json
passed=0 failed=0

# bench WAY [ARG...]: exit code in $rc, output in out and err
bench()
{
    local way=$1
    shift
    "$ASSAY" benchmark retrieval "$harbour" -m dense --json --no-times --queries \
        --embedding-url "$url/$way" --cache cache.db "$@" >out 2>err
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

export ASSAY_API_KEY=secret-0123456789
bench echo --embedder 'openai:m(dims=8,batch=3)'
check 'without a recording' '[ $rc = 0 ]'
cp out plain.out
n=$(wc -l <requests.log)
bench echo --embedder 'openai:m(dims=8,batch=3)' --record tape.jsonl
check 'a recording changes nothing' '[ $rc = 0 ] && cmp -s out plain.out'
check 'the cache spares it no request' '[ "$(wc -l <requests.log)" -gt "$n" ]'
check 'the key stands nowhere in it' \
    'tail -n 1 requests.log | grep -q "with key" && ! grep -q 0123456789 tape.jsonl && grep -q redacted tape.jsonl'
check 'it is there whole' '[ ! -e tape.jsonl.part ] && head -n 1 tape.jsonl | grep -q assay.cassette/1'

bench echo --embedder 'openai:m(dims=8,batch=2)' --record other.jsonl --jobs 1
cp out one.out
bench echo --embedder 'openai:m(dims=8,batch=2)' --record again.jsonl --jobs 4
check 'threads change nothing in a recording but times' \
    'cmp -s out one.out && cmp -s <(sed "s/,\"ms\":.*//" other.jsonl) <(sed "s/,\"ms\":.*//" again.jsonl)'
"$ASSAY" search 'mooring fees' --documents "$harbour" -m dense --embedder openai:m \
    --embedding-url "$url/good" --record search.jsonl >search.out 2>err
cp err out
check 'a search is recorded' '[ -s search.jsonl ] && [ -s search.out ]'
bench refuse --embedder 'openai:m' --record refused.jsonl
cp err refused.err
check 'a failure leaves what there is' '[ $rc = 4 ] && [ ! -e refused.jsonl ] && grep -q "\"error\":" refused.jsonl.part'
printf '{"schema":"assay.cassette/1"}\n' >kept.jsonl
bench down --embedder 'openai:m(retries=0)' --record kept.jsonl
check 'and an earlier recording stays' '[ $rc = 4 ] && [ "$(wc -l <kept.jsonl)" = 1 ]'

kill $server
wait $server 2>/dev/null
unset ASSAY_API_KEY
bench echo --embedder 'openai:m(dims=8,batch=3)' --replay tape.jsonl
check 'a replay needs no server and no key' '[ $rc = 0 ] && cmp -s out plain.out'
bench echo --embedder 'openai:m(dims=8,batch=2)' --replay other.jsonl --jobs 4
check 'nor the same number of threads' '[ $rc = 0 ] && cmp -s out one.out'
gzip -k tape.jsonl
bench echo --embedder 'openai:m(dims=8,batch=3)' --replay tape.jsonl.gz
check 'and reads what was packed' '[ $rc = 0 ] && cmp -s out plain.out'
"$ASSAY" search 'mooring fees' --documents "$harbour" -m dense --embedder openai:m \
    --embedding-url "$url/good" --replay search.jsonl >out 2>err
check 'a search is replayed' 'cmp -s out search.out'
bench refuse --embedder 'openai:m' --replay refused.jsonl.part
check 'a failure is the same failure' '[ $rc = 4 ] && cmp -s err <(grep -v "not complete" refused.err)'
bench echo --embedder 'openai:m2(dims=8,batch=3)' --replay tape.jsonl
check 'a miss is loud, and shows what differs' \
    '[ $rc = 3 ] && grep -q "not recorded: http http" err && grep -q "nearest is line" err && grep -q "\"m\"}. where this one has .*\"m2\"}" err'
sed '/mooring/Id' tape.jsonl >less.jsonl
bench echo --embedder 'openai:m(dims=8,batch=3)' --replay less.jsonl
check 'also where it is one call of many' '[ $rc = 3 ] && grep -q "not recorded" err'
bench echo --embedder 'openai:m' --replay none.jsonl
check 'a recording that is not there' '[ $rc = 2 ]'
bench echo --embedder 'openai:m' --replay tape.jsonl --record x.jsonl
check 'one or the other' '[ $rc = 2 ] && [ ! -e x.jsonl ] && [ ! -e x.jsonl.part ]'

# Without libcurl at all: nothing that has its name may be loaded.
if command -v strace >/dev/null; then
    strace -f -o trace "$ASSAY" search 'mooring fees' --documents "$harbour" -m dense --embedder openai:m \
        --embedding-url "$url/good" --replay search.jsonl >out 2>err
    check 'libcurl is not even looked for' '! grep -q "libcurl\|AF_INET" trace'
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
