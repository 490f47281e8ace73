#!/usr/bin/env bash
# Every store that an earlier version wrote opens, and gives back what was put into it; also
# after it was brought up to date by a command that writes.
set -u
passed=0 failed=0
check() { if eval "$2"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $1"; fi; }

export_all()
{
    local run
    for run in $(sqlite3 "$1" 'SELECT run_id FROM eval_runs ORDER BY created_at'); do
        "$ASSAY" runs export "$run" --as jsonl --store "$1" || return
    done
}

for packed in "$SRC"/tests/compat/store_*.db.zst; do
    name=$(basename "$packed" .db.zst)
    zstd -q -d "$packed" -o "$name.db" || exit 1
    zstd -q -d "${packed%.db.zst}.jsonl.zst" -o "$name.jsonl" || exit 1
    export_all "$name.db" >got
    check "$name: what comes out is what was put in" "cmp got $name.jsonl"

    # Now one that writes.
    check "$name: it can be written to" \
        "'$ASSAY' runs tag latest seen=today --store $name.db >out 2>&1 || { cat out; false; }"
    export_all "$name.db" >got
    check "$name: and gives the same afterwards" "cmp got $name.jsonl"
    check "$name: nothing in it is damaged" \
        "[ \"\$(sqlite3 $name.db 'PRAGMA integrity_check; PRAGMA foreign_key_check')\" = ok ]"
    check "$name: names and tags are found" \
        "'$ASSAY' runs show main --store $name.db >out 2>&1 && grep -q branch=main out"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
