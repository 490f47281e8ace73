#!/bin/sh
# assay run --golden golden.yaml --system 'cmd:sh my_system.sh {query} {k} FOLDER'
# Started for each query; prints a document id, a tab and a score a line.
cd "$3" || exit
printf '%s\n' "$1" | tr -cs '[:alnum:]_' '\n' | tr '[:upper:]' '[:lower:]' | sort -u |
    while IFS= read -r word; do
        [ -z "$word" ] || grep -rliwF --include='*.md' -e "$word" .
    done | sort | uniq -c | sort -rn | head -n "$2" |
    while read -r n file; do
        printf '%s\t%s\n' "${file#./}" "$n"
    done
