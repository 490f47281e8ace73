#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands on stored runs say the same of a store in PostgreSQL as of one in SQLite.
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
        diff sqlite postgresql | head -n 40
    fi
}

# work PLACE: everything once; ids are numbered, and the place is not shown
work()
{
    local golden=$FIX/eval/kebab.golden.yaml

    {
        "$ASSAY" runs import "$FIX/eval/kebab_a.jsonl" "$FIX/eval/kebab_b.jsonl" -g "$golden" --suite s -t a=b \
            --date 2026-01-02 --store "$1"
        "$ASSAY" runs import "$FIX/run/bob/good_scores_only.json" --date 2026-01-03 --quiet --store "$1"
        "$ASSAY" runs list --store "$1"
        "$ASSAY" runs list --tag a=b --format csv --store "$1"
        "$ASSAY" runs tag a=b c=d --remove a --store "$1"
        "$ASSAY" runs show c=d --query q-002 --store "$1"
        "$ASSAY" metrics --all --store "$1"
        "$ASSAY" metrics --all -g "$golden" --conventions kebab --write --jobs 2 --store "$1"
        "$ASSAY" runs trend mrr --store "$1"
        for run in latest latest~1 latest~2; do "$ASSAY" runs export $run --no-times --store "$1"; done
        "$ASSAY" runs rm latest~1 --yes --store "$1"
        "$ASSAY" runs list --store "$1"
        "$ASSAY" runs show nobody --store "$1"
    } 2>&1 | "$SRC/tests/cli/runs/hide_ids" | sed -e "s#'s.db'#STORE#" -e "s#'postgresql:[^']*'#STORE#"
}

pg_begin || exit 1
trap pg_end EXIT
work s.db >sqlite
work "$pg_url" >postgresql
check 'both say the same' 'cmp -s sqlite postgresql'
check 'and it is not that nothing works' 'grep -q "^mrr of kebab_a" postgresql'
check 'no password is shown' '! grep -qF "$pg_password" postgresql'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
