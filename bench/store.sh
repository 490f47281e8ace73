#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A run put result by result into each kind of store, and read again.
#
#   bench/store.sh [--queries N] [--hits N] [--rounds N]
#
# Every result is a transaction of its own. The stores take turns, the best round counts.
# PostgreSQL runs on this machine with its own settings for safety (fsync on), once as it is and
# once with synchronous_commit off; SQLite as assay always opens it.
set -u
cd "$(dirname "$0")/.." || exit 4
. tests/server/with_postgres.sh

queries=7000 hits=100 rounds=3
while [ $# -gt 0 ]; do
    case $1 in
    --queries) queries=$2 && shift ;;
    --hits) hits=$2 && shift ;;
    --rounds) rounds=$2 && shift ;;
    *) sed -n '5,9s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
    shift
done

pg_config="$pg_config
fsync = on
full_page_writes = on
shared_buffers = 128MB
autovacuum = on"
pg_begin || exit 4
folder=$(mktemp -d build/bench/store.XXXXXX) || exit 4
trap 'rm -rf "$folder"; pg_end' EXIT

echo "- $queries queries x $hits hits, each committed; commit $(git rev-parse --short HEAD), $(date -u +%F)"
echo "- machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors," \
    "load before the start $(cut -d' ' -f1 /proc/loadavg); PostgreSQL $(pg_sql 'SHOW server_version')"
for i in $(seq "$rounds"); do
    while read -r name place; do
        build/bench/store_bench "$place" "$queries" "$hits" >"$folder/out" || exit 4
        sed "s/^/$name /" "$folder/out" >>"$folder/all"
    done <<END
sqlite $folder/$i.db
postgresql $pg_url?schema=a$i
lazy $pg_url?schema=b$i&options=-csynchronous_commit%3Doff
END
done
awk '{ key = $1 " " $2; if (!(key in best) || $3 < best[key]) best[key] = $3 }
    function row(what) {
        printf "| %s | %.3f | %.3f | %.3f |\n", what, best["sqlite " what],
            best["postgresql " what], best["lazy " what]
    }
    END {
        print ""
        print "| seconds | SQLite | PostgreSQL | synchronous_commit off |"
        print "| --- | ---: | ---: | ---: |"
        n = split("open put load done list remove", name, " ")
        for (i = 1; i <= n; i++) row(name[i])
    }' "$folder/all"
