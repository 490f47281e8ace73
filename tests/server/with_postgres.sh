# SPDX-License-Identifier: Apache-2.0
# A PostgreSQL server of the test's own, to be sourced:
#
#   pg_begin         a new cluster on loopback and a free port; sets pg_port and pg_url
#   pg_stop [MODE]   fast, or immediate: as if it had crashed
#   pg_start         the same cluster again
#   pg_sql TEXT [DATABASE]   run it as the owner, print the rows
#   pg_end           stop it and take its folder away; also done when the script ends
#
# The server refuses to run as root: then it runs as the user postgres, which the package makes.
pg_user=assay_test pg_password='s3cr3t/w0rd' pg_folder='' pg_port='' pg_url='' pg_bin=''

# The server lasts for one test and has no power cut to fear.
pg_config="listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
full_page_writes = off
shared_buffers = 32MB
max_connections = 50
autovacuum = off
log_min_messages = fatal"

pg_as()
{
    if [ "$(id -u)" = 0 ]; then
        (cd / && exec runuser -u postgres -- "$@")
    else
        "$@"
    fi
}

pg_find()
{
    local dir
    for dir in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) /usr/local/pgsql/bin; do
        [ -x "$dir/initdb" ] && pg_bin=$dir && return 0
    done
    dir=$(command -v initdb) && pg_bin=$(dirname "$dir")
}

# As pg_ctl writes it; -w waits until connections are taken.
pg_start()
{
    pg_as "$pg_bin/pg_ctl" -w -t 60 -s -D "$pg_folder/data" -l "$pg_folder/log" \
        -o "-p $pg_port" start >/dev/null 2>&1
}

pg_stop()
{
    pg_as "$pg_bin/pg_ctl" -w -t 60 -s -D "$pg_folder/data" -m "${1:-fast}" stop >/dev/null 2>&1
}

pg_end()
{
    [ -n "$pg_folder" ] || return 0
    pg_stop immediate
    rm -rf "$pg_folder"
    pg_folder=
}

pg_begin()
{
    local try
    pg_find || { echo "no PostgreSQL server found; run 'tools/setup servers'"; return 1; }
    # Not under TMPDIR: that one is in the checkout, where the other user may not look.
    pg_folder=$(mktemp -d /tmp/assay_pg.XXXXXX) || return 1
    trap pg_end EXIT
    # A script that is killed runs no trap.
    (
        trap '' INT TERM HUP
        folder=$pg_folder
        while kill -0 $$ 2>/dev/null && [ -d "$folder" ]; do sleep 1; done
        [ ! -d "$folder" ] || pg_end
    ) >/dev/null 2>&1 </dev/null &
    disown

    printf '%s\n' "$pg_password" >"$pg_folder/password"
    [ "$(id -u)" != 0 ] || chown -R postgres "$pg_folder"
    pg_as "$pg_bin/initdb" --no-sync -D "$pg_folder/data" -U "$pg_user" -E UTF8 --locale=C \
        -A scram-sha-256 --pwfile="$pg_folder/password" >"$pg_folder.out" 2>&1 ||
        { cat "$pg_folder.out"; rm -f "$pg_folder.out"; return 1; }
    rm -f "$pg_folder.out"
    printf '%s\n' "$pg_config" >>"$pg_folder/data/postgresql.conf"
    # Nothing says which port is free but trying.
    for try in $(seq 20); do
        pg_port=$((20000 + (RANDOM * 32768 + RANDOM) % 40000))
        pg_start && break
        [ "$try" -lt 20 ] || { cat "$pg_folder/log"; return 1; }
    done
    pg_url=postgresql://$pg_user:${pg_password//\//%2F}@127.0.0.1:$pg_port/postgres
}

pg_sql()
{
    PGPASSWORD=$pg_password "$pg_bin/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h 127.0.0.1 \
        -p "$pg_port" -U "$pg_user" -d "${2:-postgres}" -c "$1"
}
