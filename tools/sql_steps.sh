#!/bin/sh
# Prints SQL files as C, for a store's schema: tools/sql_steps.sh 0001_a.sql 0002_b.sql ...
# A file is an array of characters, since a string may not be as long as some of them are.
set -eu
n=0
for f; do
    n=$((n + 1))
    case ${f##*/} in
    "$(printf '%04d' "$n")"_*) ;;
    *) echo "$f: want number $(printf '%04d' "$n")" >&2; exit 1 ;;
    esac
    if LC_ALL=C grep -nq '[^ -~	]' "$f"; then echo "$f: plain ASCII only" >&2; exit 1; fi
    printf 'static const char step_%d[] = {\n' "$n"
    od -An -v -tu1 "$f" | sed 's/^ *//; s/  */,/g; s/$/,/'
    printf '0};\n'
done
printf 'static const char *const steps[] = {'
i=0
while [ "$i" -lt "$n" ]; do i=$((i + 1)); printf 'step_%d, ' "$i"; done
printf '};\n'
