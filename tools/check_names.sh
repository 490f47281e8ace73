#!/bin/sh
# Names: what the library exports, calls we do not make, files with the same name, licences.
set -u
bad=0
fault() { echo "$1"; bad=1; }
lib=${BUILD:-build/release}/libassay.a

# Symbols that leave a file of the library. The sanitizers' own begin with two underscores.
if [ -e "$lib" ]; then
    found=$(nm -A -g --defined-only "$lib" 2>/dev/null |
        awk '$NF !~ /^(assay_|__)/ {
                 split($1, at, ":")
                 print at[2] ": symbol \047" $NF "\047 does not begin with assay_"
             }')
    [ -z "$found" ] || fault "$found"
else
    echo "check_names: no $lib yet"
fi

files=$(find src include tests bench samples -name '*.[ch]' 2>/dev/null | LC_ALL=C sort)
[ -n "$files" ] || { echo 'check_names: no sources yet'; exit $bad; }

# Calls, outside comments and strings; not members (x->free) and not parts of longer names.
# shellcheck disable=SC2086
found=$(awk -f tools/strip_c.awk $files | awk '
    BEGIN {
        ban("strcpy strcat sprintf vsprintf strtok atoi atol atoll gets alloca rand srand localtime",
            "is never used; base has a safer one", "^$")
        ban("malloc calloc realloc free strdup strndup",
            "belongs in src/base; use base/mem.h", "^(src/base|tests|bench|samples)/")
        ban("printf fprintf vprintf vfprintf puts putchar perror exit _exit _Exit",
            "belongs in src/cli; the library is silent", "^(src/cli|src/report|tests|bench|samples)/")
        ban("getenv setenv putenv", "belongs in src/cli", "^(src/cli|tests|bench|samples)/")
        ban("pthread_create thrd_create", "belongs in src/base/pool.c",
            "^(src/base/pool\\.c|tests/|bench/|samples/)")
    }
    function ban(names, why, where,    n, i, name) {
        n = split(names, name, " ")
        for (i = 1; i <= n; i++) { reason[name[i]] = why; allowed[name[i]] = where }
    }
    {
        match($0, /^[^:]*:[0-9]+:/)
        at = substr($0, 1, RLENGTH - 1)
        rest = substr($0, RLENGTH + 1)
        while (match(rest, /(^|[^A-Za-z0-9_>.])[A-Za-z_][A-Za-z0-9_]*[ \t]*\(/)) {
            word = substr(rest, RSTART, RLENGTH)
            gsub(/[^A-Za-z0-9_]/, "", word)
            # Step past the name only, so that f(free(x)) is seen whole.
            rest = substr(rest, RSTART + RLENGTH - 1)
            if (word in reason && at !~ allowed[word]) print at ": " word "() " reason[word]
        }
    }')
[ -z "$found" ] || fault "$found"

# A name in a message or a profile points at one file.
# shellcheck disable=SC2086
found=$(echo $files | tr ' ' '\n' | awk -F/ '
    $NF in first { print $0 ":1: same file name as " first[$NF]; next }
    { first[$NF] = $0 }')
[ -z "$found" ] || fault "$found"

# shellcheck disable=SC2086
found=$(awk 'FNR == 1 && $0 != "/* SPDX-License-Identifier: Apache-2.0 */" {
                 print FILENAME ":1: want /* SPDX-License-Identifier: Apache-2.0 */ first"
             }' $files)
[ -z "$found" ] || fault "$found"
exit $bad
