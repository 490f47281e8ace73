#!/usr/bin/env bash
# Lets the n-th allocation fail, for n = 1, 2, 3 ... until a run gets by without it.
#
#   tests/oom/run.sh [TEXT]
#
# Runs each tests/oom/<name>.sh (like a command line case, see tests/cli/run.sh) with
# ASSAY_FAIL_ALLOC=n in the environment, which test builds of the program obey. With memory
# enough it must exit 0; without, it must say so and exit 5, or print the same as ever. A
# crash, a leak or another exit code is a failure.
set -u
cd "$(dirname "$0")/../.." || exit 1
export SRC=$PWD FIX=$PWD/tests/fixtures ASSAY=$PWD/${BUILD:-build/asan}/assay
export TZ=UTC LC_ALL=C.UTF-8 NO_COLOR=1 ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
text=${1-} passed=0 failed=0 n_scripts=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

attempt()
{
    rm -rf "$tmp/work" && mkdir "$tmp/work"
    (cd "$tmp/work" && exec timeout -k 5 60 sh "$SRC/$script") \
        >"$tmp/out" 2>"$tmp/err" </dev/null
}

for script in tests/oom/*.sh; do
    name=${script%.sh}
    [ "$script" = tests/oom/run.sh ] && continue
    [[ $name == *"$text"* ]] || continue
    n_scripts=$((n_scripts + 1))

    unset ASSAY_FAIL_ALLOC
    if ! attempt; then
        echo "$script:1: fails with memory enough"
        cat "$tmp/err"
        failed=$((failed + 1))
        continue
    fi
    mv "$tmp/out" "$tmp/want"

    ok=1 n_refused=0
    # Ten runs in a row that did not notice: n is past the last allocation.
    for ((n = 1, quiet = 0; quiet < 10; n++)); do
        export ASSAY_FAIL_ALLOC=$n
        attempt
        rc=$?
        if [ $rc -eq 5 ]; then
            quiet=0 n_refused=$((n_refused + 1))
        elif [ $rc -eq 0 ] && cmp -s "$tmp/want" "$tmp/out"; then
            quiet=$((quiet + 1))
        else
            echo "$script:1: exit $rc when allocation $n fails"
            head -n 40 "$tmp/err"
            ok=0
            break
        fi
    done
    if [ $ok = 1 ] && [ $n_refused -eq 0 ]; then
        echo "$script:1: no allocation failed; does the program obey ASSAY_FAIL_ALLOC?"
        ok=0
    fi
    if [ $ok = 1 ]; then
        echo "ok    $name ($n_refused allocations)"
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done

[ $n_scripts -gt 0 ] || echo 'no tests/oom/*.sh yet'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && { [ $n_scripts -gt 0 ] || [ -z "$text" ]; }
