#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# extract on the half of CLAPNQ's dev set on which nothing was chosen: the table adds up to the
# labels, every citation exists, and its decisions are better than those of a coin. docs/ANSWERS.md
# has the numbers; bench/clapnq.sh makes them.
set -u
data=$SRC/../shared/data/clapnq-dev
[ -r "$data/clapnq_dev_answerable.jsonl" ] || { echo 'skipped: no ../shared/data/clapnq-dev'; exit 77; }
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
passed=0 failed=0

check()
{
    if eval "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not so: $1"
        head -n 60 out | sed 's/^/    /'
    fi
}

# cell NAME: a number of the table
cell() { sed -n "s/.*\"refusals\": {.*\"$1\": \([0-9]*\).*/\1/p" out; }
mean() { sed -n "s/.*\"$1\": {\"value\": \([0-9.e-]*\),.*/\1/p" out; }

python3 "$SRC/bench/clapnq.py" "$data" . >counts || exit 1
read -r _ answerable _ refused _ <<END
$(grep ^test: counts)
END

look()
{
    "$ASSAY" run --quiet --golden test.json --store runs.db --json \
        --metric refusal_accuracy,citation_coverage "$@" >out 2>&1
    check 'the run goes through' "[ $? = 0 ]"
    check 'every query has its place in the table' \
        '[ $(($(cell refusal_right) + $(cell answered_wrong))) = "$refused" ] &&
         [ $(($(cell refusal_wrong) + $(cell answered_right))) = "$answerable" ]'
}

look --system file:test.jsonl --answers=extract
check 'of its own passage: six decisions in ten are right' 'awk "BEGIN { exit !($(mean refusal_accuracy) > 0.6) }"'
check 'every citation exists' '[ "$(mean citation_coverage)" = 1 ]'
look --method bm25 -k 5 --depth 5 --answers
check 'of five passages out of 600: still more than a coin' 'awk "BEGIN { exit !($(mean refusal_accuracy) > 0.6) }"'
check 'every citation exists here, too' '[ "$(mean citation_coverage)" = 1 ]'

echo "$passed passed, $failed failed"
[ $failed = 0 ]
