#!/bin/sh
# clang-format has nothing to change.
set -u
command -v clang-format >/dev/null 2>&1 ||
    { echo 'check_format: skipped: clang-format is not installed'; exit 0; }
files=$(find src include tests bench -name '*.[ch]' 2>/dev/null | LC_ALL=C sort)
[ -n "$files" ] || exit 0
# shellcheck disable=SC2086
clang-format --dry-run -Werror $files 2>&1 | grep -E 'error:' |
    sed 's/: error: code should be clang-formatted.*/: not as clang-format has it; run "make fmt"/' |
    grep . && exit 1
exit 0
