#!/usr/bin/env bash
# The examples of docs/FORMATS.md are golden sets that assay reads as what the page says.
# A block belongs to the comment above it: <!-- golden: FORMAT [file in a folder] -->.
set -u
passed=0 failed=0

# Blocks become FORMAT.example, or files in the folder FORMAT.example.
awk '
    /^<!-- golden: / {
        format = $3
        file = $4 == "-->" ? "" : $4
        next
    }
    /^```/ && format != "" && !is_open {
        is_open = 1
        path = format ".example" (file == "" ? "" : "/" file)
        folder = path
        sub(/\/?[^\/]*$/, "", folder)
        if (folder != "") system("mkdir -p " folder)
        next
    }
    /^```/ && is_open { is_open = 0; close(path); format = ""; next }
    is_open { print > path }
' "$SRC/docs/FORMATS.md"

for example in *.example; do
    want=${example%.example}
    got=$("$ASSAY" golden check "$example" --quiet | awk '$1 == "format" { print $2 }')
    if [ "$got" = "$want" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "docs/FORMATS.md: the example of $want was read as '$got'"
        "$ASSAY" golden check "$example" >/dev/null
    fi
done
# Every format has an example.
for want in assay kebab bob evalvault trec beir relmap; do
    [ -e "$want.example" ] || { echo "docs/FORMATS.md: no example of $want"; failed=$((failed + 1)); }
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
