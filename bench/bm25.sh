#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bm25 beside bm25s, tantivy (PyPI) and Lucene (Debian's liblucene8-java) on generated passages.
#
#   bench/bm25.sh [--passages N] [--queries N] [--rounds N] [--threads 'LIST'] [--no-peers]
#
# 1,000,000 passages of 60 words, 1,000 queries of 2 to 8 words, k = 10 and 1000, one thread and
# two. All read the same files and keep their index in memory (Lucene: mapped). Each builds its
# index once and answers all queries `rounds` times, the best round counts. "cpu" is what all
# threads of the process used; on a busy machine it says more than the time on the wall.
set -u
cd "$(dirname "$0")/.." || exit 4

n=1000000 queries=1000 rounds=3 threads='1 2' peers=1
while [ $# -gt 0 ]; do
    case $1 in
    --passages) n=$2 && shift ;;
    --queries) queries=$2 && shift ;;
    --rounds) rounds=$2 && shift ;;
    --threads) threads=$2 && shift ;;
    --no-peers) peers=0 ;;
    *) sed -n '3,11s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
    shift
done

out=build/bench/bm25-$n
data=$out/data
venv=build/bench/venv-bm25
java=/usr/share/java
mkdir -p "$data"
[ -s "$data/queries.txt" ] || build/bench/bm25_generate "$data" "$n" "$queries" || exit 4

# The peers that can be had; each prints lines of "name value".
list=assay
if [ $peers = 1 ]; then
    if [ ! -x "$venv/bin/python" ]; then
        python3 -m venv "$venv" >"$out/venv.log" 2>&1 &&
            "$venv/bin/python" -m pip install -q bm25s numba tantivy >>"$out/venv.log" 2>&1
    fi
    for p in bm25s tantivy; do
        if "$venv/bin/python" -c "import $p" 2>/dev/null; then
            list="$list $p"
        else
            echo "$p: skipped, PyPI cannot be reached; see $out/venv.log" >&2
        fi
    done
    core=$(ls $java/lucene-core-8*.jar 2>/dev/null | head -n 1)
    common=$(ls $java/lucene-analyzers-common-8*.jar 2>/dev/null | head -n 1)
    if [ -n "$core" ] && [ -n "$common" ] && command -v javac >/dev/null &&
        javac -cp "$core:$common" -d "$out/java" bench/peers/Bm25Lucene.java; then
        list="$list lucene"
    else
        echo 'lucene: skipped, want apt-get install liblucene8-java default-jdk-headless' >&2
    fi
fi

run()
{
    case $1 in
    assay) build/bench/bm25_assay "$data" "$2" "$rounds" ;;
    lucene) java -Xmx8g -cp "$out/java:$core:$common" Bm25Lucene "$data" "$2" "$rounds" ;;
    *) "$venv/bin/python" "bench/peers/bm25_$1.py" "$data" "$2" "$rounds" ;;
    esac
}

echo "- passages: $n of 60 words, vocabulary 500000 (Zipf), $queries queries of 2 to 8 words"
echo "- commit: $(git rev-parse --short HEAD), $(date -u +%F)"
echo "- machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)," \
    "$(nproc) processors, load before the start $(cut -d' ' -f1 /proc/loadavg)"
for t in $threads; do
    for p in $list; do
        run "$p" "$t" >"$out/$p.$t.txt" 2>"$out/$p.$t.err" ||
            echo "$p: failed; see $out/$p.$t.err" >&2
        sed "s/^/$p $t /" "$out/$p.$t.txt"
    done
done | awk -f bench/bm25.awk
