#!/bin/sh
# Writes the manual page and the shell completions into a folder: tools/gen_man.sh FOLDER.
# The program prints them from its option tables.
set -u
assay=${ASSAY:-build/assay}
to=${1:?want a folder}
mkdir -p "$to" || exit 4

put()
{
    file=$to/$1
    shift
    if ! "$assay" "$@" >"$file" || [ ! -s "$file" ]; then
        rm -f "$file"
        echo "gen_man: '$assay $*' printed nothing" >&2
        exit 1
    fi
}

put assay.1 help --man
put assay.bash help --completion bash
put _assay help --completion zsh
