#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `assay benchmark retrieval` on sets of other people: EvalVault's Korean one reaches the figures
# that its authors give, and a graph finds more of what needs several hops than words do.
set -u
data=$SRC/../shared/data
[ -d "$data/evalvault" ] || { echo "skipped: no $data"; exit 77; }
passed=0 failed=0

# at_least NAME VALUE LEAST
at_least()
{
    if awk -v a="$2" -v b="$3" 'BEGIN { exit !(a != "" && a >= b - 1e-9) }'; then
        passed=$((passed + 1))
    else
        echo "$1 is $2, want $3 or more"
        failed=$((failed + 1))
    fi
}

# value METHOD COLUMN, from out.csv
value() { awk -F, -v m="$1" -v c="$2" '$1 == m { print $c }' out.csv; }

"$ASSAY" benchmark retrieval "$data/evalvault/examples/benchmarks/korean_rag/retrieval_test.json" \
    --kg "$data/evalvault/tests/fixtures/kg/minimal_graph.json" --format csv >out.csv 2>err || exit 1
for m in bm25 dense hybrid graphrag; do at_least "$m Recall@5" "$(value $m 2)" 1; done
for m in bm25 hybrid; do
    at_least "$m MRR" "$(value $m 4)" 0.9666
    at_least "$m nDCG@5" "$(value $m 5)" 0.9753
done
at_least 'graphrag MRR' "$(value graphrag 4)" 0.9333
at_least 'graphrag nDCG@5' "$(value graphrag 5)" 0.9507
at_least 'dense MRR' "$(value dense 4)" 0.95
at_least 'dense nDCG@5' "$(value dense 5)" 0.962
grep -q 'no query names an entity of the graph' err
at_least 'a graph that matches nothing says so' $((1 - $?)) 1

for set in hipporag-musique-train hotpot-train100; do
    [ -d "$data/$set" ] || continue
    kg=$data/$set/kg.json
    "$ASSAY" benchmark retrieval "$data/$set" -m bm25,graphrag -k 5 --format csv --quiet \
        ${kg:+$([ -e "$kg" ] && echo --kg "$kg")} >out.csv || exit 1
    echo "$set: recall@5 bm25 $(value bm25 2), graphrag $(value graphrag 2)"
    at_least "$set: graphrag's recall@5 over bm25's" "$(value graphrag 2)" "$(value bm25 2)"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
