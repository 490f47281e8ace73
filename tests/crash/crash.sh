#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs that are killed (-9) at random moments, and gone on with until they are done.
#
#   tests/crash/crash.sh [KILLS] [sqlite|postgresql]      50 sqlite
#
# After each kill: whatever was stored before is still there, and so is every result that the
# system under test knows to be finished (it was asked for the next one). At the end of each run:
# its export is that of a run that was not interrupted, run id and times apart. SQLite files are
# checked by SQLite itself.
#
# Environment: BUILD, SRC and ASSAY as tests/run_all.sh sets them; SEED picks the moments.
set -u
SRC=${SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
BUILD=${BUILD:-build/debug}
ASSAY=${ASSAY:-$SRC/$BUILD/assay}
kills=${1:-50} kind=${2:-sqlite}
RANDOM=${SEED:-$$}
tool=$SRC/$BUILD/store_tool
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
. "$SRC/tests/server/with_postgres.sh"
trap 'cd /; rm -rf "$work"; pg_end' EXIT
[ "$kind" != postgresql ] || pg_begin || exit 1
trap 'cd /; rm -rf "$work"; pg_end' EXIT
mkfifo clock && exec 9<>clock

# A small BEIR folder: 300 documents, 120 queries.
mkdir -p golden/qrels
awk 'BEGIN {
    srand(5)
    for (d = 0; d < 300; d++) {
        text = "w" int(400 * rand() * rand())
        for (w = 1; w < 30; w++) text = text " w" int(400 * rand() * rand())
        printf "{\"_id\":\"d%d\",\"title\":\"\",\"text\":\"%s\"}\n", d, text > "golden/corpus.jsonl"
    }
    print "query-id\tcorpus-id\tscore" > "golden/qrels/test.tsv"
    for (q = 0; q < 120; q++) {
        text = "w" int(400 * rand()) " w" int(400 * rand()) " w" int(40 * rand())
        printf "{\"_id\":\"q%03d\",\"text\":\"%s\"}\n", q, text > "golden/queries.jsonl"
        for (j = 0; j < 3; j++)
            printf "q%03d\td%d\t1\n", q, (q * 37 + j * 101) % 300 > "golden/qrels/test.tsv"
    }
}'

# What is run in turn. The system writes down what it is asked.
way()
{
    case $1 in
    0) arg=(--method bm25 --jobs 1) ;;
    1) arg=(--method bm25 --jobs 2 --answers) ;;
    2) arg=(--system "cmd:$SRC/$BUILD/crash_system $work/asked" --jobs 2) ;;
    esac
}
n_ways=3

bad()
{
    echo "not so: $1 (seed ${SEED:-$$}, run $it, kill $n)"
    sed 's/^/    /' err 2>/dev/null | head -n 20
    failed=$((failed + 1))
}

# export_run NAME FILE: without what differs from run to run
export_run()
{
    "$ASSAY" runs export "$1" --no-times --store "$place" >exported 2>err || return 1
    sed 's/"it":"[0-9a-z]*"/"it":""/g' exported >"$2"
}

now_ms() { local t=${EPOCHREALTIME/./}; echo $((t / 1000)); }

# new_place N: a store of which nothing is there yet
new_place()
{
    case $kind in
    sqlite) place=$work/store$1/assay.db ;;
    postgresql) place="$pg_url?schema=crash$1" ;;
    esac
}

check_sound()
{
    [ "$kind" != sqlite ] || [ ! -e "$place" ] || "$tool" sound "$place" 2>err || bad 'the file is sound'
}

# What was stored before is still there; what is finished is stored. has_run: the run is there.
check_done()
{
    has_run=yes
    "$tool" done "$place" "it=$it" >done.new 2>err || { : >done.new; has_run=; }
    [ -z "$(comm -23 done.old done.new)" ] || bad 'what was stored before is still there'
    if [ -s asked ]; then
        # All but the last query of each process.
        awk '{ if ($1 in last) print last[$1]; last[$1] = $2 }' asked | sort -u >finished
        [ -z "$(comm -23 finished done.new)" ] || bad 'what was finished is stored'
    fi
    mv done.new done.old
}

# In a process of its own, which becomes the program.
start_or_resume()
{
    if [ -n "$has_run" ]; then
        exec "$ASSAY" run --resume "it=$it" --golden golden --store "$place" "${arg[@]}" >out 2>err 9>&-
    else
        exec "$ASSAY" run --golden golden --store "$place" --tag "it=$it" "${arg[@]}" >out 2>err 9>&-
    fi
}

passed=0 failed=0 n=0 it=0 n_unborn=0 n_late=0
for ((w = 0; w < n_ways; w++)); do
    way $w
    new_place ref$w
    took[w]=100000
    for _ in 1 2 3 4; do
        begin=$(now_ms)
        "$ASSAY" run --golden golden --store "$place" --tag it=ref "${arg[@]}" >/dev/null 2>err ||
            { bad 'a run that nobody disturbs ends well'; exit 1; }
        ms=$(($(now_ms) - begin + 1))
        [ $ms -gt "${took[w]}" ] || took[w]=$ms
    done
    export_run it=ref want$w || { bad 'a run is exported'; exit 1; }
done

while [ $n -lt "$kills" ] && [ $failed -lt 5 ]; do
    # A store sees several runs.
    [ $((it % 20)) != 0 ] || new_place $((it / 20))
    it=$((it + 1))
    w=$((it % n_ways))
    way $w
    rm -f asked
    : >done.old
    has_run=
    # One to three kills before it may end.
    for ((k = RANDOM % 3; k >= 0; k--)); do
        start_or_resume &
        pid=$!
        # Any moment, but mostly those at which results are stored.  Waits without starting a process.
        from=$((RANDOM % 4 ? took[w] / 3 : 0))
        moment=$((from + RANDOM % (took[w] - from)))
        read -r -t "$((moment / 1000)).$(printf '%03d' $((moment % 1000)))" -u 9
        kill -9 $pid 2>/dev/null
        wait $pid 2>/dev/null
        rc=$?
        case $rc in
        137)
            n=$((n + 1))
            [ $((n % 100)) != 0 ] || echo "$kind: $n kills so far" >&2
            ;;
        0)
            n_late=$((n_late + 1))
            took[w]=$((took[w] * 7 / 8 + 1))
            ;;
        *) bad "a run that is killed or done, not exit $rc" ;;
        esac
        check_done
        [ -s done.old ] || n_unborn=$((n_unborn + 1))
    done
    begin=$(now_ms)
    (start_or_resume)
    rc=$?
    # The machine may have become busier, or less so.
    [ -s done.old ] || took[w]=$(((3 * took[w] + $(now_ms) - begin) / 4))
    [ $rc = 0 ] || bad "what was killed is gone on with, not exit $rc"
    if export_run "it=$it" got && cmp -s want$w got; then
        passed=$((passed + 1))
    else
        diff want$w got >err 2>&1
        bad 'the export is that of a run that was not interrupted'
    fi
    [ $((it % 5)) != 0 ] || check_sound
done
check_sound
if [ "$kind" = postgresql ] && [ -x "$pg_bin/pg_amcheck" ]; then
    PGPASSWORD=$pg_password "$pg_bin/pg_amcheck" --install-missing --heapallindexed -h 127.0.0.1 \
        -p "$pg_port" -U "$pg_user" -d postgres >err 2>&1 || bad 'the database is sound'
fi
echo "$kind: $n kills in $it runs; $n_late were done before, $n_unborn left nothing yet"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
