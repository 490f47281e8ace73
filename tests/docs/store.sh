#!/usr/bin/env bash
# Every SQL example of docs/STORE.md gives what the page says, on the store in tests/compat.
set -u
passed=0 failed=0
zstd -q -d "$SRC/tests/compat/store_1.db.zst" -o store.db || exit 1
awk '
    /^```sql$/ { n++; file = n ".sql"; next }
    /^```$/ && file ~ /sql$/ { close(file); file = ""; wants = 1; next }
    /^```$/ && wants && file == "" { file = n ".want"; printf "" > file; wants = 0; next }
    /^```/ { file = ""; next }
    file != "" { print > file }
' "$SRC/docs/STORE.md"
[ -e 7.sql ] || { echo 'docs/STORE.md has lost its examples'; failed=1; }
for sql in *.sql; do
    if sqlite3 -readonly store.db <"$sql" >got 2>&1 && diff "${sql%.sql}.want" got; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "docs/STORE.md: not what this gives:"
        cat "$sql" got
    fi
done
# The columns that the page names are there.
for table in eval_runs eval_query_results run_tags baselines goldens run_metrics run_queries run_top_hits; do
    for column in $(sqlite3 store.db "SELECT name FROM pragma_table_info('$table')"); do
        if grep "^| \`$table\`" "$SRC/docs/STORE.md" | grep -q "\`$column\`"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "docs/STORE.md: $table.$column is not in the table"
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
