#!/bin/sh
# Writes docs/CLI.md and docs/METRICS.md from what the program says of itself.
# --check compares instead: prints the first difference of each page and exits 1.
set -u
cd "$(dirname "$0")/.." || exit 1
assay=${ASSAY:-build/assay}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
bad=0

page()
{
    file=docs/$1
    shift
    if ! "$assay" "$@" >"$tmp/page" || [ ! -s "$tmp/page" ]; then
        echo "$file:1: '$assay $*' prints no page"
        bad=1
    elif [ "$mode" = --check ]; then
        if [ ! -e "$file" ]; then
            echo "$file:1: missing; run 'make docs'"
            bad=1
        elif ! cmp -s "$file" "$tmp/page"; then
            line=$(cmp "$file" "$tmp/page" 2>&1 | sed -n 's/.*line \([0-9]*\).*/\1/p')
            echo "$file:${line:-1}: not what '$*' prints; run 'make docs'"
            bad=1
        fi
    else
        mkdir -p docs
        cp "$tmp/page" "$file"
        echo "wrote $file"
    fi
}

mode=${1-}
page CLI.md help --markdown
page METRICS.md metric list --markdown
exit $bad
