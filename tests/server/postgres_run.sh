#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The program with its runs in PostgreSQL: a real server of the test's own, which also goes away.
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

pg_begin || exit 1
at=127.0.0.1:$pg_port

mkdir -p golden/qrels
for q in $(seq 100 159); do
    echo "{\"_id\":\"q$q\",\"text\":\"number $q of them\"}" >>golden/queries.jsonl
    echo "{\"_id\":\"d$q\",\"title\":\"\",\"text\":\"this is number $q\"}" >>golden/corpus.jsonl
    printf 'q%s\td%s\t1\n' "$q" "$q" >>golden/qrels/test.tsv
done

# assay ARG...: exit code in $rc, output in out
assay() { "$ASSAY" "$@" --store "$pg_url?schema=program" >out 2>&1; rc=$?; }

assay run --golden golden --method bm25 --tag as=bm25
check 'a run goes into PostgreSQL' '[ $rc = 0 ] && grep -q "^stored in postgresql://assay_test@127.0.0.1:.*schema=program" out'
check 'and the report has no password' '! grep -q "s3cr3t\|w0rd" out'
assay runs list --json
check 'it is listed' '[ $rc = 0 ] && grep -q "\"as\": *\"bm25\"" out'
"$ASSAY" run --golden golden --method bm25 --tag as=bm25 --store here.db >out 2>&1
"$ASSAY" runs export as=bm25 --no-times --store here.db >want 2>out
assay runs export as=bm25 --no-times
check 'and exported as from SQLite, byte for byte' '[ $rc = 0 ] && cmp -s want out'

# What docs/STORE.md lets people ask is answered alike.
for view in 'name, value, n FROM run_metrics' 'query_id, query, error, answer, n_hits FROM run_queries' \
    'query_id, rank, chunk_id, doc_id, score FROM run_top_hits' \
    'suite, status, source, method, k, depth, n_planned, aggregate_json FROM eval_runs' \
    'query_id, has_failed FROM eval_query_results' 'tag_key, tag_value FROM run_tags'; do
    sqlite3 here.db "SELECT $view ORDER BY 1, 2" >want.rows 2>out
    pg_sql "SET search_path = program; SET extra_float_digits = 1; SELECT $view ORDER BY 1, 2" >rows 2>>out
    # sqlite3 prints 15 digits of a double.
    for f in want.rows rows; do
        awk 'BEGIN { FS = OFS = "|" }
            { for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9]+\.[0-9]+$/) $i = sprintf("%.12g", $i); print }' $f >$f.12
    done
    check "SELECT $view is answered as by SQLite" '[ -s rows ] && diff want.rows.12 rows.12 >out'
done

# The server goes away in the middle and comes back.
system="cmd:$SRC/$BUILD/crash_system asked 20"
"$ASSAY" run --golden golden --system "$system" --jobs 1 --tag as=system --store here.db >out 2>&1
"$ASSAY" runs export as=system --no-times --store here.db >want 2>out
rm -f asked
(sleep 0.6; pg_stop immediate; sleep 1; pg_start) &
assay run --golden golden --system "$system" --jobs 1 --tag as=system
wait $!
check 'a run outlives a crash of the server' '[ $rc = 0 ]'
check 'and says what it is waiting for' 'grep -q "warning: .*postgresql://assay_test@.*; waiting for it to come back" out'
check 'no query is asked twice for it' '[ "$(wc -l <asked)" = 60 ] && [ "$(sort -u asked | wc -l)" = 60 ]'
assay runs export as=system --no-times
check 'its results are those of a run without it' '[ $rc = 0 ] && cmp -s want out'

# A libpq in which nothing is.
mkdir -p empty && echo 'int nothing;' | cc -shared -fPIC -x c -o empty/libpq.so.5 -
LD_LIBRARY_PATH=$PWD/empty assay runs list
check 'without libpq it says what to install' '[ $rc = 4 ] && grep -q "apt-get install libpq5" out'

"$pg_bin/pg_dump" "$pg_url" >dump 2>out
check 'the database has no password in it' '[ -s dump ] && grep -q run_ dump && ! grep -q "s3cr3t\|w0rd" dump'
"$ASSAY" runs list --store "postgresql://assay_test:wr0ng@$at/postgres" >out 2>&1
rc=$?
check 'a wrong password is exit 4' '[ $rc = 4 ] && grep -q "refuses the password" out && ! grep -q wr0ng out'
pg_stop
"$ASSAY" runs list --store "$pg_url" >out 2>&1
rc=$?
check 'no server is exit 4, at once' '[ $rc = 4 ] && grep -q "Connection refused" out && ! grep -q "s3cr3t" out'
pg_start

echo "$passed passed, $failed failed"
[ $failed = 0 ]
