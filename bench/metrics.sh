#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stored runs measured again: 'assay metrics --all' over a store full of them.
#
#   bench/metrics.sh [--runs 1000] [--queries 1000] [--hits 100] [--rounds 3]
#
# The store is made once and kept in build/bench (8.3 GB for 1,000 runs). The first round
# measures runs that were never measured and stores all aggregates; the others find nothing new.
# Times are of the wall, and of the processor: on a machine that does nothing else and has two
# processors the first is half of the second.
set -u
cd "$(dirname "$0")/.." || exit 4

runs=1000 queries=1000 hits=100 rounds=3
while [ $# -gt 0 ]; do
    case $1 in
    --runs) runs=$2 && shift ;;
    --queries) queries=$2 && shift ;;
    --hits) hits=$2 && shift ;;
    --rounds) rounds=$2 && shift ;;
    *) sed -n '5,10s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
    shift
done

db=build/bench/runs_${runs}_${queries}_$hits.db
if [ ! -e "$db" ]; then
    build/bench/fill_store "$db.new" "$runs" "$queries" "$hits" || exit 4
    mv "$db.new" "$db" || exit 4
fi
echo "- $runs runs x $queries queries x $hits hits, $(stat -L -c %s "$db") bytes; commit" \
    "$(git rev-parse --short HEAD), $(date -u +%F)"
echo "- machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors," \
    "load before the start $(cut -d' ' -f1 /proc/loadavg)"
echo
echo '| round | wall s | user s | system s | |'
echo '| --- | ---: | ---: | ---: | --- |'
# Read once, so that the first round is not about the disk.
cat "$db" >/dev/null
TIMEFORMAT='%R %U %S'
for i in $(seq "$rounds"); do
    { time build/assay metrics --all --quiet --store "$db" >build/bench/metrics.out; } 2>build/bench/metrics.time || exit 4
    echo "| $i | $(tail -n 1 build/bench/metrics.time | sed 's/ / | /g') | $(tail -n 1 build/bench/metrics.out) |"
done
