#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs into each kind of store and out of it: bench/bench_store.c on SQLite and on PostgreSQL.
#
#   bench/store.sh [--rounds N] [ARGUMENT OF bench_store...]
#
# The stores take turns, the best round counts. PostgreSQL runs on this machine with its own
# settings for safety (fsync on), once as it is and once with synchronous_commit off; SQLite as
# assay always opens it.
set -u
cd "$(dirname "$0")/.." || exit 4
. tests/server/with_postgres.sh

rounds=3
[ "${1-}" != --rounds ] || { rounds=$2; shift 2; }
pg_config="$pg_config
fsync = on
full_page_writes = on
shared_buffers = 128MB
autovacuum = on"
pg_begin || exit 4
folder=$(mktemp -d build/bench/store.XXXXXX) || exit 4
trap 'rm -rf "$folder"; pg_end' EXIT

echo "- commit $(git rev-parse --short HEAD), $(date -u +%F); PostgreSQL $(pg_sql 'SHOW server_version')"
echo "- machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors," \
    "load before the start $(cut -d' ' -f1 /proc/loadavg)"
for i in $(seq "$rounds"); do
    while read -r name place; do
        build/bench/bench_store --place "$place" "$@" >"$folder/out" || exit 4
        sed "s/^/$name	/" "$folder/out" >>"$folder/all"
    done <<END
sqlite $folder/$i.db
postgresql $pg_url?schema=a$i
lazy $pg_url?schema=b$i&options=-csynchronous_commit%3Doff
END
done
# Lines are "what: SECONDS s (...".
awk -F'\t' '
    match($2, /: [0-9.]+ s /) {
        what = substr($2, 1, RSTART - 1)
        s = substr($2, RSTART + 2) + 0
        if (!(what in row)) { row[what] = ++n; name[n] = what }
        if (!(($1, what) in best) || s < best[$1, what]) best[$1, what] = s
    }
    END {
        print ""
        print "| seconds | SQLite | PostgreSQL | synchronous_commit off |"
        print "| --- | ---: | ---: | ---: |"
        for (i = 1; i <= n; i++)
            printf "| %s | %.2f | %.2f | %.2f |\n", name[i], best["sqlite", name[i]],
                best["postgresql", name[i]], best["lazy", name[i]]
    }' "$folder/all"
