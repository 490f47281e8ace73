#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The answerer that asks a chat model, against a real server that behaves badly on command.
set -u
cc -O1 -D_GNU_SOURCE -o odd_server "$SRC/tests/server/odd_server.c" || exit 1
passed=0 failed=0

start()
{
    rm -f port
    ./odd_server requests.log >port &
    server=$!
    for _ in $(seq 50); do [ -s port ] && break; sleep 0.1; done
    url=http://127.0.0.1:$(cat port)
}
start
trap 'kill $server 2>/dev/null' EXIT

# ask WAY ANSWERER [ARG...]: exit code in $rc, output in out and err
ask()
{
    local way=$1 answerer=$2
    shift 2
    "$ASSAY" ask 'where do boats pay their mooring fees, and when does the ferry leave the harbour in the morning?' --documents "$SRC/tests/fixtures/benchmark/harbour.json" \
        -m bm25 -k 3 --answers "$answerer" --answer-url "$url/$way" "$@" >out 2>err
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

refused() { [ $rc = 1 ] && grep -q '"grounded": false' out && grep -q '"refusal_reason": "llm_self_judge"' out; }

ask good openai:m --json
check 'an answer is read, with its citation' '[ $rc = 0 ] && grep -q "Ships pay at the office \[#1\]" out &&
    [ "$(grep -c "\"doc_id\": \"fees\"" out)" = 2 ] && grep -q "\"marker\": \"\[#1\]\"" out'
check 'it is grounded, and tokens, time and model are kept' 'grep -q "\"grounded\": true" out &&
    grep -q "\"prompt_tokens\": 321" out && grep -q "\"completion_tokens\": 12" out &&
    grep -q "\"latency_ms\": [0-9]" out && grep -q "\"model\": \"m\"" out'
check 'temperature 0 and seed 0 are asked for, three sources are sent' \
    'grep -q "/good/v1/chat/completions 0 temperature=0 seed=0 sources=3$" requests.log'
check 'who answers is said with the version of the prompt' \
    'grep -q "\"answerer\": \"openai:m(budget=8000,temperature=0,seed=0,max_tokens=0) prompt=assay-1\"" out'
ask good/v1 'openai:m(seed=7,temperature=-1)'
check 'a base with /v1 is the same place; seed and temperature are as asked for' \
    '[ $rc = 0 ] && tail -n 1 requests.log | grep -q "/good/v1/chat/completions 0 temperature= seed=7 "'
ask good 'openai:m(budget=100)'
check 'of a small budget one chunk is left' '[ $rc = 0 ] && tail -n 1 requests.log | grep -q "sources=1$"'
ask two openai:m --json
check 'markers without # are read where no other is there' '[ $rc = 0 ] && grep -q "\"marker\": \"\[#2\]\"" out &&
    grep -q "\"marker\": \"\[#1\]\"" out'
ask parts openai:m
check 'a list of parts is put together' '[ $rc = 0 ] && grep -q "^Ships pay there \[#1\].$" out'
ask think openai:m
check 'thoughts are left out' '[ $rc = 0 ] && grep -q "^Ships pay there \[#1\].$" out && ! grep -q think out'

ask unknown openai:m --json
check 'a marker of no source makes it ungrounded' refused
ask bare openai:m --json
check 'an answer without a marker is ungrounded' refused
ask empty openai:m --json
check 'nothing is ungrounded' refused
ask null openai:m --json
check 'null is nothing' refused
ask refusal openai:m --json
check 'who says that the sources are silent has refused, marker or not' refused

printf 'Say it.\n---\n{chunks}\nQ: {query}\n' >own.txt
ask good openai:m --prompt own.txt --json
check 'a template of the user has its hash for a version' '[ $rc = 0 ] && grep -q "prompt=sha256:[0-9a-f]\{16\}\"" out'
printf '{chunks} {query}' >own.txt
ask good openai:m --prompt own.txt
check 'it may have no system message' '[ $rc = 0 ] && tail -n 1 requests.log | grep -q "no system$"'
printf 'only {query}' >own.txt
ask good openai:m --prompt own.txt
check 'one without {chunks} is refused' '[ $rc = 3 ] && grep -q "own.txt:1: a template needs {chunks}" err'

ask flaky openai:m
check 'a server that fails for a while (500, 429) is asked again' '[ $rc = 0 ]'
ask down 'openai:m(retries=1)'
check 'one that stays down is exit 4 with its words' \
    '[ $rc = 4 ] && grep -q "status 503 (2 attempts): maintenance until noon" err'
ask refuse openai:m
check 'a bad key is not tried again' '[ $rc = 4 ] && grep -q "status 401" err'
ask garbage openai:m
check 'garbage is named with its place' '[ $rc = 4 ] && grep -q "/garbage/v1/chat/completions:1:1: " err'
ask cut openai:m
check 'half an answer is no answer' '[ $rc = 4 ] && grep -q "/cut/v1/chat/completions" err'
ask nochoices openai:m
check 'a reply without choices is said to be one' '[ $rc = 4 ] && grep -q "the reply has no .choices." err'
ask nomessage openai:m
check 'so is one without a message' '[ $rc = 4 ] && grep -q "first choice has no .message." err'
ask list openai:m
check 'and one that is no object' '[ $rc = 4 ] && grep -q "the reply is no JSON object" err'
ask error openai:m
check 'the words of an error are passed on' '[ $rc = 4 ] && grep -q "the server says .model not found." err'
ask mute 'openai:m(retries=0)'
check 'silence is said' '[ $rc = 4 ] && grep -qi "empty reply" err'
ask slow 'openai:m(retries=0,timeout=0.3)'
check 'a slow one is given up on' '[ $rc = 4 ] && grep -qi "timed out" err'
kill $server; wait $server 2>/dev/null
start

ask good openai:
check 'a model is needed' '[ $rc = 2 ] && grep -q "needs a model" err'
ask good 'openai:m(url=ftp://x)'
check 'an address is one of http' '[ $rc = 2 ] && grep -q "is no address" err'

# A key goes out, and nowhere else.
ASSAY_API_KEY=secret ask good openai:m --json --context
check 'the key is sent' '[ $rc = 0 ] && tail -n 1 requests.log | grep -q "with key"'
check 'and is in nothing that is printed' '! grep -q secret out err'
ASSAY_API_KEY=secret ask refuse openai:m
check 'nor in a message' '[ $rc = 4 ] && ! grep -q secret out err'

# A run: a server that misbehaves is a failed query each time, and the hits are kept.
run()
{
    local way=$1
    shift
    "$ASSAY" run --golden "$SRC/tests/fixtures/benchmark/harbour.json" -m bm25 -k 3 --answer-url "$url/$way" \
        --answers='openai:m(retries=0)' --metric hit@3,citation_coverage --store runs.db "$@" >out 2>err
    rc=$?
}
run good
check 'a run with answers goes through' '[ $rc = 0 ] && grep -q "citation_coverage.*1.0000" out'
run garbage
check 'a reply that is no JSON is a failed query' '[ $rc = 1 ] && grep -q "/garbage/v1/chat/completions:1:1" out err'
ASSAY_API_KEY=secret run refuse
check 'the key is not in the store' '[ $rc = 1 ] && ! grep -q secret out err && ! grep -aq secret runs.db'

# Recorded, then replayed without the server.
ASSAY_API_KEY=secret ask good openai:m --json --record calls.jsonl
cp out recorded
check 'a call is recorded without the key' '[ $rc = 0 ] && [ -s calls.jsonl ] && ! grep -q secret calls.jsonl'
kill $server; wait $server 2>/dev/null
ask good openai:m --json --replay calls.jsonl
check 'a replay needs no server and says the same' \
    '[ $rc = 0 ] && diff <(grep -v "\"elapsed_ms\"" recorded) <(grep -v "\"elapsed_ms\"" out)'

echo "$passed passed, $failed failed"
[ $failed = 0 ]
