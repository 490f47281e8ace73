#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two stored runs compared: 'assay compare' with the default measures and all statistics.
#
#   bench/compare.sh [--queries 7000] [--hits 100] [--rounds 5]
#
# The two runs have nothing in common but the questions, so that most differences are not zero:
# that is the dearest case for resampling. The store is made once and kept in build/bench.
set -u
cd "$(dirname "$0")/.." || exit 4

queries=7000 hits=100 rounds=5
while [ $# -gt 0 ]; do
    case $1 in
    --queries) queries=$2 && shift ;;
    --hits) hits=$2 && shift ;;
    --rounds) rounds=$2 && shift ;;
    *) sed -n '5,8s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
    shift
done

db=build/bench/compare_${queries}_$hits.db
if [ ! -e "$db" ]; then
    build/bench/fill_store "$db.new" 2 "$queries" "$hits" || exit 4
    mv "$db.new" "$db" || exit 4
fi
echo "- 2 runs x $queries queries x $hits hits, $(stat -c %s "$db") bytes; commit" \
    "$(git rev-parse --short HEAD), $(date -u +%F)"
echo "- machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors," \
    "load before the start $(cut -d' ' -f1 /proc/loadavg)"
echo
echo '| round | wall s | user s | system s |'
echo '| --- | ---: | ---: | ---: |'
# Read once, so that the first round is not about the disk.
cat "$db" >/dev/null
TIMEFORMAT='%R %U %S'
for i in $(seq "$rounds"); do
    { time build/assay compare latest~1 latest --store "$db" >build/bench/compare.out; } \
        2>build/bench/compare.time || exit 4
    echo "| $i | $(tail -n 1 build/bench/compare.time | sed 's/ / | /g') |"
done
