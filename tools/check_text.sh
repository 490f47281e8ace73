#!/bin/sh
# Line length, trailing blanks, tabs, and notes to self that belong in an issue.
set -u
files=$(find src include tests bench -name '*.[ch]' 2>/dev/null | LC_ALL=C sort)
[ -n "$files" ] || { echo 'check_text: no sources yet'; exit 0; }
# shellcheck disable=SC2086
# mawk counts bytes: continuation bytes of UTF-8 are taken off.
LC_ALL=C awk '
    length($0) > 100 {
        columns = length($0) - gsub(/[\200-\277]/, "&")
        if (columns > 100) fault(columns " columns; 90 are the aim, 100 the end")
    }
    /[ \t]$/ { fault("blanks at the end of the line") }
    /\t/ { fault("a tab; indent with four spaces") }
    FILENAME ~ /^(src|include)\// && /(^|[^A-Za-z0-9_])(TODO|FIXME|XXX)([^A-Za-z0-9_]|$)/ {
        fault("an open end; finish it or open an issue")
    }
    function fault(what) { print FILENAME ":" FNR ": " what; bad = 1 }
    END { exit bad }
' $files
