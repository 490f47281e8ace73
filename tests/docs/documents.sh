#!/usr/bin/env bash
# The examples of docs/FORMATS.md under <!-- document: KIND FILE N --> are files from which
# assay ingest reads N documents.
set -u
passed=0 failed=0

awk '
    /^<!-- document: / { file = $4; print file, $5 > "list"; next }
    /^```/ && file != "" && !is_open { is_open = 1; next }
    /^```/ && is_open { is_open = 0; close(file); file = ""; next }
    is_open { print > file }
' "$SRC/docs/FORMATS.md"

while read -r file want; do
    got=$("$ASSAY" ingest "$file" --corpus "c${file%%.*}" --quiet |
        awk '$1 == "documents" { print $2 }')
    if [ "$got" = "$want" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "docs/FORMATS.md: $file gave '$got' documents, not $want"
    fi
done <list
[ $passed -ge 3 ] || { echo 'docs/FORMATS.md: examples of documents are missing'; failed=$((failed + 1)); }
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
