#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stores in PostgreSQL, against a real server of the test's own.
set -u
. "$SRC/tests/server/with_postgres.sh"
passed=0 failed=0

check()
{
    if eval "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not so: $1"
        [ ! -e out ] || sed 's/^/    /' out
    fi
}

# programs NAME: a test program of the build, with this server
program()
{
    ASSAY_TEST_STORE=$pg_url "$SRC/$BUILD/$1" >out 2>&1
    local last
    last=$(tail -n 1 out)
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
        [ "${BASH_REMATCH[2]}" = 0 ] || grep -v '  OK \]\|RUN  ' out
    else
        failed=$((failed + 1))
        cat out
    fi
    check "$1 skips nothing for want of a server" '! grep "skipped: ASSAY_TEST_STORE" out'
    check "$1 shows no password" '! grep -F "$pg_password" out'
}

rm -f out
cc -std=c11 -fsyntax-only -I"$SRC/src" -I"$SRC/include" $(pkg-config --cflags libpq) \
    "$SRC/tests/server/libpq_header.c" >out 2>&1
check "our declarations are libpq's" "[ $? = 0 ]"
pg_begin || exit 1
program test_pq
program test_s_postgres

echo "$passed passed, $failed failed"
[ $failed = 0 ]
