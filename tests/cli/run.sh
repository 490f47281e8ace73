#!/usr/bin/env bash
# Command line cases: tests/cli/<area>/<case>.sh is run, and what it prints is compared with
# <case>.out, <case>.err (if there is one) and <case>.rc (exit code, 0 without the file).
#
#   tests/cli/run.sh [--accept] [TEXT]...
#
# TEXT picks the cases that have it in cli/<area>/<case>. --accept writes what came out as
# what is expected; read the diff afterwards.
#
# A case runs by sh in an empty folder with $ASSAY (the program), $SRC (root of the tree) and
# $FIX (tests/fixtures). Exit 77 with the one line "skipped: why" skips it. Paths of that
# folder and of the tree are shown as $PWD and $SRC.
set -u
here=$(cd "$(dirname "$0")" && pwd)
export SRC=${SRC:-$(cd "$here/../.." && pwd)}
export FIX=$SRC/tests/fixtures TZ=UTC LC_ALL=C.UTF-8 NO_COLOR=1
if [ -z "${ASSAY-}" ]; then
    ASSAY=$SRC/${BUILD:-build/debug}/assay
    [ -x "$ASSAY" ] || ASSAY=$SRC/build/assay
fi
export ASSAY

# Compare $1 (expected) with $2 (got), or take it over.
same()
{
    if [ "$ACCEPT" = 1 ]; then
        cp "$2" "$1"
    else
        diff -u --label "expected ${1##*/}" --label got "$1" "$2"
    fi
}

# Prints "passed", "skipped: why" or the differences and "failed", each after the name.
run_one()
{
    local name=$1 base=$here/$1 dir rc want_rc=0 ok=1

    dir=$(mktemp -d "${TMPDIR:-/tmp}/assay-cli-XXXXXX") || exit 1
    mkdir "$dir/work"
    (cd "$dir/work" && TMPDIR=$dir exec timeout -k 5 60 sh "$base.sh") \
        >"$dir/out" 2>"$dir/err" </dev/null
    rc=$?
    sed -i -e "s|$dir/work|\$PWD|g" -e "s|$SRC|\$SRC|g" "$dir/out" "$dir/err"

    if [ $rc -eq 77 ] && [[ $(cat "$dir/out") == skipped:* ]]; then
        echo "cli/$name: $(head -n 1 "$dir/out")"
        echo skipped >"$RESULTS/${name//\//.}"
        rm -rf "$dir"
        return
    fi

    {
        if [ "$ACCEPT" = 1 ]; then
            if [ $rc -ne 0 ]; then echo $rc >"$base.rc"; else rm -f "$base.rc"; fi
            if [ -s "$dir/err" ]; then cp "$dir/err" "$base.err"; else rm -f "$base.err"; fi
        fi
        [ -e "$base.rc" ] && want_rc=$(cat "$base.rc")
        if [ "$rc" != "$want_rc" ]; then
            echo "exit $rc, want $want_rc"
            # Without an expected .err the words are the best hint at what happened.
            [ -e "$base.err" ] || cat "$dir/err"
            ok=0
        fi
        if [ "$ACCEPT" != 1 ] && [ ! -e "$base.out" ]; then
            echo "no $name.out; write it, or use --accept"
            ok=0
        else
            same "$base.out" "$dir/out" || ok=0
        fi
        if [ -e "$base.err" ]; then same "$base.err" "$dir/err" || ok=0; fi
    } >"$dir/diff" 2>&1

    if [ $ok = 1 ]; then
        echo passed >"$RESULTS/${name//\//.}"
    else
        { echo "tests/cli/$name.sh: failed"; sed 's/^/    /' "$dir/diff"; } >"$dir/message"
        cat "$dir/message"
        echo failed >"$RESULTS/${name//\//.}"
    fi
    rm -rf "$dir"
}

if [ "${1-}" = --one ]; then
    run_one "$2"
    exit 0
fi

export ACCEPT=0
if [ "${1-}" = --accept ]; then
    ACCEPT=1
    shift
fi

cases=()
while read -r f; do
    name=${f#"$here"/}
    name=${name%.sh}
    if [ $# -eq 0 ]; then
        cases+=("$name")
        continue
    fi
    for text in "$@"; do
        if [[ cli/$name == *"$text"* ]]; then
            cases+=("$name")
            break
        fi
    done
done < <(find "$here" -mindepth 2 -name '*.sh' | LC_ALL=C sort)

if [ ${#cases[@]} -eq 0 ]; then
    [ $# -gt 0 ] && echo "no case matches"
    echo '0 passed, 0 failed'
    # tests/run_all.sh has other kinds in which TEXT may match.
    [ -n "${LOGS-}" ] || [ $# -eq 0 ]
    exit
fi
if [ ! -x "$ASSAY" ]; then
    echo "no program at $ASSAY; run 'make' first"
    exit 4
fi

RESULTS=$(mktemp -d "${TMPDIR:-/tmp}/assay-cli-results-XXXXXX") || exit 1
export RESULTS
trap 'rm -rf "$RESULTS"' EXIT
printf '%s\n' "${cases[@]}" | xargs -P "${JOBS:-2}" -n 1 "$here/run.sh" --one

count() { cat "$RESULTS"/* | grep -c "^$1\$"; }
passed=$(count passed) skipped=$(count skipped)
# A case that left no result died on the way, which is a failure too.
failed=$((${#cases[@]} - passed - skipped))
line="$passed passed, $failed failed"
[ "$skipped" -gt 0 ] && line="$line, $skipped skipped"
echo "$line"
[ $failed -eq 0 ]
