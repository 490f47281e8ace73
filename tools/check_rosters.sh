#!/bin/sh
# Every plug-in file is in its folder's roster, every roster line has its descriptor, and
# every metric has cases. Descriptors are read from the object files, so that it does not
# matter how the source spells them.
set -u
bad=0
fault() { echo "$1"; bad=1; }
build=${BUILD:-build/release}

# The X(id) lines of a roster, as "line id".
roster_ids()
{
    awk -f tools/strip_c.awk "$1" | awk -F: '
        {
            line = $2
            # The parameter list of the macro is no entry.
            sub(/.*\(X\)/, "")
            while (match($0, /(^|[^A-Za-z0-9_])X\([ \t]*[A-Za-z0-9_]+/)) {
                id = substr($0, RSTART, RLENGTH)
                sub(/.*\([ \t]*/, "", id)
                print line, id
                $0 = substr($0, RSTART + RLENGTH)
            }
        }'
}

check_folder()
{
    folder=$1 letter=$2 stem=$3
    roster=src/$folder/${stem}_roster.h
    plugins=$(find "src/$folder" -name "${letter}_*.c" 2>/dev/null | LC_ALL=C sort)
    if [ ! -e "$roster" ]; then
        for f in $plugins; do fault "$f:1: a plug-in, but there is no $roster"; done
        return
    fi

    # What the socket puts before the id: assay_metric_##id.
    prefix=$(cat "src/$folder/$stem".[ch] | grep -o 'assay_[a-z0-9_]*_##' | head -n 1 | tr -d '#')
    prefix=${prefix:-assay_${stem}_}
    ids=$(roster_ids "$roster")
    defined=

    for f in $plugins; do
        o=$build/obj/${f#src/}
        o=${o%.c}.o
        [ -e "$o" ] || { fault "$f:1: not built; run 'make' first"; continue; }
        own=$(nm -g --defined-only "$o" |
            awk -v p="$prefix" '$2 ~ /[RDBS]/ && index($3, p) == 1 {
                                    print substr($3, length(p) + 1) }')
        [ -n "$own" ] || fault "$f:1: defines no descriptor ${prefix}..."
        for id in $own; do
            echo "$ids" | grep -q " $id\$" || fault "$f:1: $prefix$id is not in $roster"
        done
        defined="$defined $own"
    done

    echo "$ids" | while read -r line id; do
        [ -n "$id" ] || continue
        echo "$defined" | grep -qw "$id" ||
            echo "$roster:$line: no src/$folder/${letter}_*.c defines $prefix$id"
        [ "$folder" != metric ] ||
            cat tests/metric/*.cases 2>/dev/null |
            grep -Eiq "(^|[^A-Za-z0-9_])$id([^A-Za-z0-9_]|\$)" ||
            echo "$roster:$line: metric '$id' is in no tests/metric/*.cases"
    done >"$tmp"
    [ ! -s "$tmp" ] || fault "$(cat "$tmp")"
}

tmp=$(mktemp) || exit 1
trap 'rm -f "$tmp"' EXIT
# folder, letter of its plug-ins, and the socket, where it is not named like the folder
for kind in golden:g run:u metric:m report:w corpus:d:document corpus:k:chunker \
    text:t:tokenizer embed:e retrieve:r retrieve:x:system answer:a store:s diagnose:h:doctor; do
    IFS=: read -r folder letter stem <<END
$kind
END
    [ -d "src/$folder" ] && check_folder "$folder" "$letter" "${stem:-$folder}"
done
[ -n "$(find src -name '*_roster.h' 2>/dev/null)" ] || echo 'check_rosters: no rosters yet'
exit $bad
