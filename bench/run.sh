#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The benchmark: makes the data, runs all contestants in turn, prints tables in Markdown.
# What is measured and how to read it: bench/README.md.
set -eu
cd "$(dirname "$0")/.."

usage='usage: bench/run.sh [--quick] [--rounds N] [--peer-rounds N] [--small-runs N]
                    [--no-peers] [--ids short|long] [--seed N]
  --quick          a tenth of the queries, 5 rounds, 2 for the peers
  --rounds N       rounds                                           15
  --peer-rounds N  rounds in which the Python programs take part     3
  --small-runs N   runs of each program on the 50-query set        200
  --no-peers       leave them out
  --ids KIND       document ids: short numbers, or long names       short
  --seed N         seed of the data                                 1
environment:
  ASSAY=PROGRAM      the program to measure; build/assay when unset
  TREC_EVAL=PROGRAM  a trec_eval to measure beside it; none when unset
  EVAL_METRICS=LIST  metrics that `assay eval` is asked for'

queries=6980
docs=1000
rounds=15
peer_rounds=3
small_runs=200
with_peers=yes
ids=short
seed=1
set_name=full

while [ $# -gt 0 ]; do
    case $1 in
    --quick) queries=698 rounds=5 peer_rounds=2 small_runs=50 set_name=quick ;;
    --no-peers) with_peers=no ;;
    --rounds | --peer-rounds | --small-runs | --ids | --seed)
        [ $# -ge 2 ] || { echo "run.sh: $1 wants a value" >&2; exit 2; }
        case $1 in
        --rounds) rounds=$2 ;;
        --peer-rounds) peer_rounds=$2 ;;
        --small-runs) small_runs=$2 ;;
        --ids) ids=$2 ;;
        --seed) seed=$2 ;;
        esac
        shift ;;
    --help) echo "$usage"; exit 0 ;;
    *) echo "$usage" >&2; exit 2 ;;
    esac
    shift
done

assay=${ASSAY:-build/assay}
trec_eval=${TREC_EVAL:-}
eval_metrics=${EVAL_METRICS:-ndcg@10 mrr recall@10 recall@1000}
python=build/bench/venv/bin/python
data=build/bench/data-$set_name-$ids
out=build/bench/out-$set_name-$ids
plan=$out/plan.tsv
export LC_ALL=C

make -s -f bench/bench.mk bench-tools
build/bench/generate --dir "$data" --seed "$seed" --queries "$queries" --docs "$docs" \
    --ids "$ids"
if [ ! "$data/run.trec.gz" -nt "$data/run.trec" ]; then
    gzip -n -c "$data/run.trec" >"$data/run.trec.gz.part"
    mv "$data/run.trec.gz.part" "$data/run.trec.gz"
fi
rm -rf "$out"
mkdir -p "$out"

peers_are=
if [ "$with_peers" = yes ]; then
    peers_are=$(bench/peers.sh) || with_peers=no
fi

# One line of the plan: a name, rounds, repeats, the command.
contest() {
    printf '%s' "$1" >>"$plan"
    shift
    printf '\t%s' "$@" >>"$plan"
    printf '\n' >>"$plan"
}

big=$data/run.trec
qrels=$data/run.qrels
small="$data/small.qrels $data/small.trec"
repeats=$(((small_runs + rounds - 1) / rounds))

contest "wc" "$rounds" 1 wc -l "$big"
if [ -x "$assay" ]; then
    contest "sorted, 1 thread" "$rounds" 1 \
        "$assay" trec_eval --threads 1 -m all_trec "$qrels" "$big"
    contest "sorted, 2 threads" "$rounds" 1 \
        "$assay" trec_eval --threads 2 -m all_trec "$qrels" "$big"
    contest "shuffled, 1 thread" "$rounds" 1 \
        "$assay" trec_eval --threads 1 -m all_trec "$qrels" "$data/run.shuffled.trec"
    contest "shuffled, 2 threads" "$rounds" 1 \
        "$assay" trec_eval --threads 2 -m all_trec "$qrels" "$data/run.shuffled.trec"
    contest "gz" "$rounds" 1 \
        "$assay" trec_eval -m all_trec "$qrels" "$data/run.trec.gz"
    set --
    for metric in $eval_metrics; do
        set -- "$@" -m "$metric"
    done
    contest "jsonl" "$rounds" 1 \
        "$assay" eval "$data/run.jsonl" --golden "$qrels" "$@" --format json
    # shellcheck disable=SC2086  # two file names
    contest "small" "$rounds" "$repeats" "$assay" trec_eval -m all_trec $small
else
    echo "run.sh: there is no '$assay'; measuring the others only" >&2
fi
if [ -n "$trec_eval" ]; then
    contest "trec_eval, sorted" "$peer_rounds" 1 "$trec_eval" -m all_trec "$qrels" "$big"
    contest "trec_eval, shuffled" "$peer_rounds" 1 \
        "$trec_eval" -m all_trec "$qrels" "$data/run.shuffled.trec"
    # shellcheck disable=SC2086
    contest "trec_eval, small" "$rounds" "$repeats" "$trec_eval" -m all_trec $small
fi
if [ "$with_peers" = yes ]; then
    # shellcheck disable=SC2086
    for peer in pytrec_eval ir_measures ranx; do
        once=
        [ $peer != ranx ] || once=--once
        contest "$peer" "$peer_rounds" 1 \
            "$python" "bench/peers/peer_$peer.py" $once "$qrels" "$big"
        contest "$peer, small" "$peer_rounds" 1 \
            "$python" "bench/peers/peer_$peer.py" $once $small
    done
    # A first call compiles whatever the size of the run, so the small one shows it as well.
    # It takes minutes, so the quick set goes without.
    # shellcheck disable=SC2086
    [ $set_name = quick ] || contest "ranx, small, first call" 1 1 \
        "$python" bench/peers/peer_ranx.py --once --cold $small
fi

echo "# assay benchmark, $set_name set, $ids ids"
echo
echo "- run: $queries queries x $docs documents, seed $seed, $(wc -c <"$big") bytes"
echo "- commit: $(git describe --always --dirty 2>/dev/null || echo unknown), $(date -u +%F)"
echo "- machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)," \
    "$(getconf _NPROCESSORS_ONLN) processors, $(uname -sr)," \
    "load before the start $(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || echo unknown)"
[ -z "$peers_are" ] || echo "- peers: $peers_are"
echo

build/bench/measure --base wc --out "$out" --summary "$out/summary.tsv" \
    --samples "$out/samples.tsv" \
    --ratio "sorted, 1 thread=wc" --ratio "sorted, 2 threads=wc" \
    --ratio "shuffled, 1 thread=sorted, 1 thread" \
    --ratio "shuffled, 2 threads=sorted, 2 threads" "$plan" || status=$?

echo
echo "Targets:"
echo
awk -F '\t' -v run_bytes="$(wc -c <"$big")" -v lines="$(wc -l <"$big")" \
    -v json_bytes="$(wc -c <"$data/run.jsonl")" -f bench/targets.awk "$out/summary.tsv"

echo
echo "Means, which should agree:"
echo
awk -f bench/means.awk "$out"/*.out

if [ "$with_peers" = yes ]; then
    echo
    echo "ranx in one process, without and with everything compiled:"
    echo
    "$python" bench/peers/peer_ranx.py "$qrels" "$big" | sed -n 's/^# /- /p'
fi
exit "${status:-0}"
