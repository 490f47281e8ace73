#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How well does `extract` know when to refuse?  On CLAPNQ's dev set: the threshold is chosen on
# one half of the questions, and the table is that of the other half.
#
#   bench/clapnq.sh [DATA]        DATA: folder of clapnq_dev_*.jsonl, default ../shared/data/clapnq-dev
#
# Two ways: `own` hands each question its own passage, as the annotators had it; `bm25` finds five
# of all 600 passages first.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
data=${1:-$root/../shared/data/clapnq-dev}
assay=${ASSAY:-$root/build/release/assay}
[ -r "$data/clapnq_dev_answerable.jsonl" ] || { echo "skipped: no $data"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$root/bench/clapnq.py" "$data" "$work"

# ask HALF WAY THRESHOLD [ARG...]
ask()
{
    local half=$1 way=$2 threshold=$3
    shift 3
    case $way in
    own) set -- --system "file:$work/$half.jsonl" "$@" ;;
    bm25) set -- --method bm25 -k 5 --depth 5 "$@" ;;
    esac
    "$assay" run --quiet --golden "$work/$half.json" --store "$work/runs.db" \
        --answers="extract(threshold=$threshold)" --metric "$metrics" "$@"
}

value() { sed -n "s/.*\"$1\": {\"value\": \([0-9.e-]*\),.*/\1/p" | head -n 1; }

for way in own bm25; do
    metrics=refusal_accuracy
    best=0 chosen=0
    for threshold in 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.55 0.6 0.65 0.7 0.75 0.8; do
        got=$(ask tune $way $threshold --json | value refusal_accuracy)
        if awk "BEGIN { exit !($got > $best) }"; then best=$got chosen=$threshold; fi
    done
    printf '\n== %s: threshold %s, right decisions on the half that it was chosen on: %.3f\n\n' \
        $way "$chosen" "$best"
    metrics=refusal_accuracy,refusal_correctness,over_refusal_rate,citation_coverage,citation_precision
    metrics=$metrics,citation_recall,answer_f1
    ask test $way "$chosen" | sed -n '/^measure/,/^$/p; /^answers/,/^$/p'
done
