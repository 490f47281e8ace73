#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stores in PostgreSQL, against a real server of the test's own.
set -u
. "$SRC/tests/server/with_postgres.sh"
passed=0 failed=0

check()
{
    if eval "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not so: $1"
        [ ! -e out ] || head -n 40 out | sed 's/^/    /'
    fi
}

# program NAME: a test program of the build, with this server
program()
{
    ASSAY_TEST_STORE=$pg_url "$SRC/$BUILD/$1" >out 2>&1
    local last
    last=$(tail -n 1 out)
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
        [ "${BASH_REMATCH[2]}" = 0 ] || grep -v '  OK \]\|RUN  ' out
    else
        failed=$((failed + 1))
        cat out
    fi
    check "$1 skips nothing for want of a server" '! grep "skipped: ASSAY_TEST_STORE" out'
    check "$1 shows no password" '! grep -F "$pg_password" out'
}

rm -f out
cc -std=c11 -fsyntax-only -I"$SRC/src" -I"$SRC/include" $(pkg-config --cflags libpq) \
    "$SRC/tests/server/libpq_header.c" >out 2>&1
check "our declarations are libpq's" "[ $? = 0 ]"
pg_begin || exit 1
program test_pq
program test_s_postgres
[ ! -x "$SRC/$BUILD/test_stores" ] || program test_stores
[ ! -x "$SRC/$BUILD/test_stores_at_once" ] || program test_stores_at_once


# ---- a store that is written to while things happen ----

tool=$SRC/$BUILD/store_tool
run=run_00000000000000000000000000000001

# How many lines of a file another one lacks.
lacking() { sort "$1" | comm -23 - <(sort "$2") | wc -l; }

# found SCHEMA: the ids of what is stored, as they must be, in found
found() { "$tool" check "$pg_url?schema=$1" $run >found 2>out; }

"$tool" put "$pg_url?schema=two" $run 0 400 >a 2>out &
"$tool" put "$pg_url?schema=two" $run 200 400 >b 2>>out
check 'a second writer ends well' "[ $? = 0 ]"
wait $!
check 'and so does the first' "[ $? = 0 ]"
found two
check 'two writers of one run leave each result once' "[ $? = 0 ] && [ \$(wc -l <found) = 600 ]"

for i in 1 2 3 4 5; do
    "$tool" put "$pg_url?schema=killed" $run $((i * 10000)) 9000 >a 2>out &
    some=$((RANDOM % 60))
    for _ in $(seq 500); do [ "$(wc -l <a)" -gt $some ] && break; sleep 0.01; done
    kill -9 $!
    wait $! 2>/dev/null
    cat a >>all
    found killed
    check 'a writer that is killed leaves a store that can be read' "[ $? = 0 ]"
    check 'with every result that was taken' '[ "$(lacking all found)" = 0 ]'
done
check 'all were killed in the middle' '[ $(wc -l <all) -gt 5 ] && [ $(wc -l <all) -lt 45000 ]'
rm -f all

# ---- the server goes away ----

# put_and_stop SCHEMA MODE: begin to write, stop the server when some results are there
put_and_stop()
{
    "$tool" put "$pg_url?schema=$1" $run 0 2500 >a 2>out &
    writer=$!
    for _ in $(seq 400); do [ "$(wc -l <a)" -gt 50 ] && break; sleep 0.05; done
    pg_stop "$2"
    n=$(wc -l <a)
}

for mode in immediate fast; do
    put_and_stop $mode $mode
    sleep 1.5
    check "nothing is said to be stored while the server is away ($mode)" \
        "[ \$(wc -l <a) -le $((n + 1)) ] && [ $n -lt 2500 ]"
    pg_start
    wait $writer
    check 'when it comes back the writer goes on' "[ $? = 0 ]"
    check 'and it has said, once, what it was waiting for' \
        '[ "$(wc -l <out)" = 2 ] && head -n 1 out | grep -q "^waiting: .*postgresql://assay_test@.*: " &&
            [ "$(tail -n 1 out)" = "the waiting is over" ]'
    found $mode
    check 'nothing is lost, nothing is there twice' \
        "[ $? = 0 ] && [ \$(wc -l <found) = 2500 ] && cmp -s a found"
done

export PATIENCE_MS=1500
put_and_stop never immediate
wait $writer
check 'when it does not come back that is exit 4' "[ $? = 4 ]"
check 'with words, and without the password' \
    'grep -q "postgresql://assay_test@127.0.0.1:.*schema=never" out && ! grep -qF "$pg_password" out'
unset PATIENCE_MS
pg_start
found never
check 'and what was stored before is there' "[ $? = 0 ] && [ \"\$(lacking a found)\" = 0 ]"

# ---- refusals ----

# A server that takes connections and says nothing.
kill -STOP "$(head -n 1 "$pg_folder/data/postmaster.pid")"
timeout 60 "$tool" check "$pg_url?schema=two" $run >out 2>&1
check 'a server that does not answer is not waited for all day' \
    "[ $? = 4 ] && grep -q 'the server does not answer' out"
kill -CONT "$(head -n 1 "$pg_folder/data/postmaster.pid")"

# refused CODE WORDS PLACE: the exit code and words of a store that cannot be had
refused()
{
    timeout 60 "$tool" check "$3" $run >out 2>&1
    rc=$?
    check "exit $1 and '$2' from '$3'" "[ $rc = $1 ] && grep -qF -e '$2' out"
    check 'no message has the password' '! grep -qi "s3cr3t\|w0rd\|wr0ng" out'
}

at=127.0.0.1:$pg_port
secret=s3cr3t%2Fw0rd
refused 4 'the server refuses the password' "postgresql://assay_test:wr0ng@$at/postgres"
refused 4 'the server refuses the password' "postgresql://nobody:$secret@$at/postgres"
refused 4 'the server wants a password' "postgresql://assay_test@$at/postgres"
refused 2 'there is no such database' "postgresql://assay_test:$secret@$at/nowhere"
refused 4 'Connection refused' "postgresql://assay_test:$secret@127.0.0.1:1/postgres"
refused 4 'no.such.host' "postgresql://assay_test:$secret@no.such.host.invalid/postgres"
refused 2 'is no address' "postgresql://assay_test:$pg_password@$at/postgres"
refused 2 'no store in' "$pg_url?schema=nothing"
refused 2 'has small letters' "$pg_url?schema=A"
pg_sql 'INSERT INTO two.assay_schema (version) VALUES (77)'
refused 3 'written by a newer assay (schema 77' "$pg_url?schema=two"
pg_sql "CREATE ROLE guest LOGIN PASSWORD 's3cr3t'; GRANT USAGE ON SCHEMA killed TO guest"
refused 4 'permission denied' "postgresql://guest:s3cr3t@$at/postgres?schema=killed"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
