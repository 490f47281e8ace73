#!/usr/bin/env bash
# Runs the tests that `make check` built and adds up what they say.
#
#   tests/run_all.sh [--servers] [TEXT]
#
# TEXT picks the tests that have it in their name, which is kind/file[/case]:
# unit/test_json/empty_object, metric/ndcg, cli/eval/basic, reference/trec_eval.
#
# A test is a program or a script. Its last line may be "N passed, N failed[, N skipped]";
# without one, exit 0 is a pass, 77 is skipped, and anything else is a failure. The last line
# of this script is "N passed, N failed" alone; it exits 1 when a test failed or TEXT matched
# nothing.
#
# Environment: BUILD (build/debug), JOBS (2), TEST_TIMEOUT (150 seconds a file).
set -u
cd "$(dirname "$0")/.." || exit 1

export BUILD=${BUILD:-build/debug} JOBS=${JOBS:-2}
export SRC=$PWD ASSAY=$PWD/$BUILD/assay FIX=$PWD/tests/fixtures
export TZ=UTC LC_ALL=C.UTF-8 NO_COLOR=1
# Told apart from the program's own exit codes.
export ASAN_OPTIONS=${ASAN_OPTIONS:-exitcode=99} UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

# Run one test file, leave its output in $LOGS/<kind>.<file>.out and its counts in .sum.
run_one()
{
    local kind=${1%%/*} name=${1#*/} log=$LOGS/${1/\//.} rc passed=0 failed=0 skipped=0 last
    local dir=$LOGS/tmp.$kind.$name
    local -a command

    case $kind in
    unit | contract) command=("$SRC/$BUILD/$name" ${T:+"$T" "$1"}) ;;
    metric) command=("$SRC/$BUILD/run_cases" "$SRC/tests/metric/$name.cases") ;;
    cli) command=("$SRC/tests/cli/run.sh" ${T:+"$T"}) ;;
    *) command=("$SRC/tests/$kind/$name.sh") ;;
    esac

    # Each in a folder of its own, so that none sees what another left behind.
    mkdir -p "$dir"
    (cd "$dir" && TMPDIR=$dir exec timeout -k 5 "${TEST_TIMEOUT:-150}" "${command[@]}") \
        >"$log.out" 2>&1 </dev/null
    rc=$?
    rm -rf "$dir"

    last=$(tail -n 1 "$log.out")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
        passed=${BASH_REMATCH[1]} failed=${BASH_REMATCH[2]} skipped=${BASH_REMATCH[4]:-0}
        if [ $rc -ne 0 ] && [ "$failed" -eq 0 ]; then
            echo "exit $rc although no test failed" >>"$log.out"
            failed=1
        fi
    elif [ $rc -eq 77 ] || { [ $rc -eq 0 ] && [[ $(head -n 1 "$log.out") == skipped* ]]; }; then
        skipped=1
    elif [ $rc -eq 0 ] && [ "$kind" != unit ] && [ "$kind" != contract ]; then
        passed=1
    else
        case $rc in
        124 | 137) echo "took longer than ${TEST_TIMEOUT:-150} seconds" >>"$log.out" ;;
        *) echo "ended with exit $rc before it was done" >>"$log.out" ;;
        esac
        failed=1
    fi
    echo "$passed $failed $skipped" >"$log.sum"
}

if [ "${1-}" = --one ]; then
    run_one "$2"
    exit 0
fi

kinds='unit contract metric reference docs tools crash compat'
if [ "${1-}" = --servers ]; then
    kinds=server
    shift
fi
export T=${1-}

# kind/file for each test file of a kind. Programs sort out their cases by themselves.
list()
{
    local f name
    for f in tests/"$1"/$2; do
        [ -e "$f" ] || continue
        name=$1/$(basename "$f")
        name=${name%.*}
        case $1 in
        unit | contract) echo "$name" ;;
        metric) [[ $name == *"$T"* ]] && echo "$name" ;;
        # A script that is not executable is a helper of another.
        *) [ -x "$f" ] && [[ $name == *"$T"* ]] && echo "$name" ;;
        esac
    done
}

LOGS=$SRC/$BUILD/check
rm -rf "$LOGS"
mkdir -p "$LOGS"
export LOGS

todo=()
for kind in $kinds; do
    case $kind in
    unit | contract) pattern='test_*.c' ;;
    metric)
        pattern='*.cases'
        if [ ! -x "$BUILD/run_cases" ]; then
            ls tests/metric/*.cases >/dev/null 2>&1 &&
                echo 'note: no tests/metric/run_cases.c yet, so no case file is run'
            continue
        fi
        ;;
    *) pattern='*.sh' ;;
    esac
    while read -r name; do todo+=("$name"); done < <(list "$kind" "$pattern")
done
if [ "$kinds" = server ] && [ ${#todo[@]} -eq 0 ] && [ -z "$T" ]; then
    echo 'no server tests yet'
    exit 0
fi

[ ${#todo[@]} -gt 0 ] &&
    printf '%s\n' "${todo[@]}" | xargs -P "$JOBS" -n 1 tests/run_all.sh --one
# The command line cases share out the cores among themselves.
if [ "$kinds" != server ] && [ -x "$ASSAY" ]; then
    tests/run_all.sh --one cli/cases
    todo+=(cli/cases)
fi

passed=0 failed=0 skipped=0
for name in "${todo[@]}"; do
    log=$LOGS/${name/\//.}
    p=0 f=1 s=0
    read -r p f s <"$log.sum"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    [ $((p + f + s)) -eq 0 ] && continue
    if [ "$f" -gt 0 ]; then
        printf 'FAIL  %s\n' "$name"
        grep -Ev '^\[( RUN      |       OK |==========|  PASSED  )\]' "$log.out" | sed 's/^/      /'
    else
        printf '%-5s %s (%d)\n' "$([ "$p" -gt 0 ] && echo ok || echo skip)" "$name" $((p + s))
    fi
    [ "$s" -gt 0 ] && grep -E '(^|[ :])skipped: ' "$log.out" | sed 's/^/      /'
done

status=0
[ $failed -gt 0 ] && status=1
if [ -n "$T" ] && [ $((passed + failed + skipped)) -eq 0 ]; then
    echo "no test matches '$T'"
    status=1
fi
[ $skipped -gt 0 ] && echo "$skipped skipped"
echo "$passed passed, $failed failed"
exit $status
