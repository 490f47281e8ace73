#!/usr/bin/env bash
# How fast files become a corpus: bench/ingest.sh [--quick] [ROUNDS]
#
# 500 MB of Markdown (5,000 files; 50 MB with --quick) into a new corpus, on one thread and
# on all; the same again with nothing changed; cut anew by another chunker; and one document
# of 1 GB (100 MB). Beside them what the machine needs for reading the bytes once (cat), and
# for a copy of the folder. The aim is 40 MB/s on two cores.
#
# Peak memory is resident memory, in which the pages of a mapped file count.
set -u
cd "$(dirname "$0")/.." || exit 1
n_files=5000 long=10000 rounds=3
if [ "${1-}" = --quick ]; then
    n_files=500 long=1000
    shift
fi
rounds=${1:-$rounds}
assay=${ASSAY:-build/assay}
dir=build/bench/ingest-$n_files
out=$dir/out
[ -x "$assay" ] || { echo "no program at $assay; run 'make' first" >&2; exit 4; }
mkdir -p "$out"
[ -e "$dir/done" ] || { build/bench/make_markdown "$dir/files" $n_files && touch "$dir/done"; } ||
    exit 4
# One document: the same files, again and again.
if [ ! -e "$dir/long/long.md" ]; then
    mkdir -p "$dir/long"
    for ((i = 0; i < (long + n_files - 1) / n_files; i++)); do
        find "$dir/files" -name '*.md' | LC_ALL=C sort | xargs cat
    done >"$dir/long/long.md.part" && mv "$dir/long/long.md.part" "$dir/long/long.md"
fi
bytes=$(find "$dir/files" -name '*.md' -printf '%s\n' | awk '{ n += $1 } END { print n }')
long_bytes=$(stat -c %s "$dir/long/long.md")

# name, rounds, repeats, program, arguments: see measure.c. A new corpus each time.
ingest() # NAME FOLDER ARGUMENTS
{
    printf '%s\t%s\t1\tsh\t-c\trm -rf %s; exec %s ingest %s --workspace %s --quiet %s\n' \
        "$1" "$rounds" "$dir/ws-$1" "$assay" "$2" "$dir/ws-$1" "${3-}"
}
again() # NAME FOLDER ARGUMENTS: into the corpus of ingest-all
{
    printf '%s\t%s\t1\tsh\t-c\texec %s ingest %s --workspace %s --quiet %s\n' \
        "$1" "$rounds" "$assay" "$2" "$dir/ws-ingest-all" "${3-}"
}
{
    printf 'cat\t%s\t1\tsh\t-c\tfind %s/files -name "*.md" | xargs cat >/dev/null\n' "$rounds" "$dir"
    printf 'copy\t%s\t1\tsh\t-c\trm -rf %s/copy; cp -r %s/files %s/copy; sync %s/copy\n' \
        "$rounds" "$dir" "$dir" "$dir" "$dir"
    ingest ingest-1 "$dir/files" '--jobs 1'
    ingest ingest-all "$dir/files"
    again unchanged "$dir/files"
    ingest long "$dir/long"
} >"$out/plan.tsv"

echo "$(nproc) cores, load before: $(cut -d' ' -f1-3 /proc/loadavg), $((bytes / 1000000)) MB in $n_files files"
build/bench/measure --base cat --out "$out" --summary "$out/summary.tsv" "$out/plan.tsv" || exit
awk -F'\t' -v bytes="$bytes" -v long="$long_bytes" '
    $1 == "time" { ms[$2] = $3; cpu[$2] = $5 }
    END {
        split("ingest-1 ingest-all long", name, " ")
        for (i = 1; i <= 3; i++) {
            b = name[i] == "long" ? long : bytes
            if (ms[name[i]])
                printf "%-11s %7.1f MB/s = %.2f x 40 MB/s; %.2f x the time of cat, %.2f x that of a copy; %.1f MB for each second of CPU\n",
                    name[i], b / 1000 / ms[name[i]], b / 40000 / ms[name[i]],
                    ms[name[i]] / ms["cat"] * bytes / b, ms[name[i]] / ms["copy"] * bytes / b,
                    b / 1000 / cpu[name[i]]
        }
    }' "$out/summary.tsv"
# Cutting anew: alternately by two chunkings, so that none of the cuts is there already.
rm -rf "$dir/ws-recut"
"$assay" ingest "$dir/files" --workspace "$dir/ws-recut" --quiet >/dev/null || exit
start=$(date +%s%N)
"$assay" ingest "$dir/files" --workspace "$dir/ws-recut" --quiet --chunker paragraph >/dev/null || exit
end=$(date +%s%N)
awk -v b="$bytes" -v ns=$((end - start)) \
    'BEGIN { printf "%-11s %7.1f MB/s, no file read\n", "cut anew", b * 1000 / ns }'
rm -rf "$dir"/ws-* "$dir/copy"
