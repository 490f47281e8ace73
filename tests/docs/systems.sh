#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The examples of docs/SYSTEMS.md are systems that assay can ask, and all of them find the same.
# Languages that are not here are skipped. The one that must be compiled is tried by
# 'make check-servers'.
set -u
passed=0 failed=0 skipped=0
examples=$SRC/docs/examples

# check LANGUAGE PROGRAM SYSTEM
check()
{
    if ! command -v "$2" >/dev/null || ! "$2" --version >/dev/null 2>&1 && [ "$2" != sh ]; then
        echo "skipped: $1 is not here"
        skipped=$((skipped + 1))
        return
    fi
    "$ASSAY" run --golden "$SRC/samples/handbook.golden.yaml" --system "$3" --level doc \
        --metric hit@5,mrr --limit 12 --quiet >"$1.all" 2>"$1.err"
    if [ $? = 0 ] && grep -E '^(hit@5|mrr|failed) ' "$1.all" >"$1.out" &&
        { [ ! -e first ] || cmp -s first "$1.out"; }; then
        [ -e first ] || cp "$1.out" first
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "the example in $1 differs from the first, or fails:"
        cat "$1.all" "$1.err"
    fi
}

check shell sh "cmd:sh $examples/my_system.sh {query} {k} $SRC/samples/handbook"
check Python python3 "cmd:python3 $examples/my_system.py $SRC/samples/handbook"
check JavaScript node "cmd:node $examples/my_system.js $SRC/samples/handbook"

# The page shows what the files have.
for f in my_system.sh my_system.py my_system.js; do
    if awk -v f="$f" '$0 == "<!-- file: " f " -->" { on = 1; next }
                      on == 1 && /^```/ { on = 2; next } on == 2 && /^```/ { exit }
                      on == 2 { print }' "$SRC/docs/SYSTEMS.md" | cmp -s - "$examples/$f"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "docs/SYSTEMS.md does not show $f as it is"
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
