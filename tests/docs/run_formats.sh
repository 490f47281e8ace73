#!/usr/bin/env bash
# The examples of docs/FORMATS.md are runs that assay reads as what the page says.
# A block belongs to the comment above it: <!-- run: FORMAT -->.
set -u
passed=0 failed=0

awk '
    /^<!-- run: / { format = $3; next }
    /^```/ && format != "" && !is_open { is_open = 1; path = format ".example"; next }
    /^```/ && is_open { is_open = 0; close(path); format = ""; next }
    is_open { print > path }
' "$SRC/docs/FORMATS.md"

# Told its format, and left to find out, a file is read as the same run.
for want in $("$ASSAY" format list | awk '$1 == "run" { print $2 }'); do
    if "$ASSAY" runs convert --quiet --to jsonl "$want.example" >guessed.jsonl &&
        "$ASSAY" runs convert --quiet --to jsonl --from "$want" "$want.example" >told.jsonl &&
        [ -s told.jsonl ] && cmp guessed.jsonl told.jsonl; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "docs/FORMATS.md: no good example of the run format $want"
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
