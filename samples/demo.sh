#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `make demo` shows: the two sample runs side by side, and where the second one lost; then
# the documents read and cut, the golden set found in them, four retrievers asked, stored and
# measured; at last another chunker compared, a regression explained, and a gate.
set -u
cd "$(dirname "$0")/.." || exit 1
assay=${ASSAY:-build/assay}

show()
{
    echo "\$ assay $*"
    "$assay" "$@"
}

show eval samples/runs/before.jsonl samples/runs/after.jsonl --golden samples/handbook.golden.yaml \
    -m hit@1,mrr,recall@5,ndcg@10,evidence_precision@5,groundedness,refusal_correctness --best
# 1 says that a query failed, which the sample has on purpose.
[ $? -le 1 ] || exit 1
echo
show eval samples/runs/after.jsonl --golden samples/handbook.golden.yaml \
    -m mrr,recall@5 --by difficulty --quiet
[ $? -le 1 ] || exit 1
echo

# A workspace of its own: the reader's folder stays as it is.
rm -rf build/demo
show ingest samples/handbook --corpus handbook --workspace build/demo || exit 1
echo
show golden check samples/handbook.golden.yaml --corpus handbook --workspace build/demo || exit 1
echo
show run --golden samples/handbook.golden.yaml --corpus handbook --workspace build/demo \
    --method bm25,dense,hybrid,graphrag --metric hit@1,mrr,recall@5,ndcg@10,evidence_cost@5 --quiet || exit 1
echo

# Another chunker: did it get better? Hits are recognised by the bytes of the evidence.
show ingest samples/handbook --corpus sentences --chunker 'sentence(target=60)' --workspace build/demo --quiet || exit 1
"$assay" run --golden samples/handbook.golden.yaml --corpus sentences --workspace build/demo --quiet >/dev/null || exit 1
echo
show compare latest~4 latest --workspace build/demo -m mrr,recall@5 || exit 1
echo
show explain latest~4 latest h-22 --corpus sentences --workspace build/demo || exit 1
echo

# And may the fused run take the place of bm25?
show baseline set latest~4 --workspace build/demo || exit 1
echo
show gate latest~2 --workspace build/demo --max-drop mrr=0.05 --max-drop recall@5=0.05
