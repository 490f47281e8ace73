#!/usr/bin/env bash
# Runs fuzz programs that `make fuzz` built: tests/fuzz/run.sh fuzz_NAME...
# Each for FUZZ_SECONDS, starting from tests/fuzz/seeds/<name>/ and from the fixtures that
# have <name> in their path (with / or _ where it has _). What it learns stays in build/fuzz/corpus/<name>/ for next time;
# an input that breaks something is left as build/fuzz/<name>-crash-...
set -u
cd "$(dirname "$0")/../.." || exit 1
seconds=${FUZZ_SECONDS:-60}
[ $# -gt 0 ] || { echo 'no fuzz target matches, or none is there yet'; [ -z "${T-}" ]; exit; }

bad=0
for program in "$@"; do
    name=${program#fuzz_}
    corpus=build/fuzz/corpus/$name seeds=build/fuzz/seeds/$name
    mkdir -p "$corpus"
    rm -rf "$seeds"
    mkdir -p "$seeds"
    # Flat, with the path in the name, since fixtures of two folders may be called alike.
    find "tests/fuzz/seeds/$name" tests/fixtures -type f 2>/dev/null |
        grep -E "^tests/fuzz/seeds/|${name//_/[_/]}" |
        while read -r f; do cp "$f" "$seeds/${f//\//_}"; done
    printf '%s: %s seconds from %s seeds\n' "$program" "$seconds" "$(ls "$seeds" | wc -l)"
    if ! "build/fuzz/$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -max_len=65536 -print_final_stats=1 -artifact_prefix="build/fuzz/$name-" \
        "$corpus" "$seeds" >"build/fuzz/$program.log" 2>&1; then
        bad=1
        echo "$program: failed"
        grep -vE '^#[0-9]+' "build/fuzz/$program.log" | tail -n 60
    else
        grep -E 'number_of_executed_units|peak_rss_mb' "build/fuzz/$program.log"
    fi
done
exit $bad
