#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `make demo` shows: the two sample runs side by side, and where the second one lost; then
# the documents read and cut, the golden set found in them, and four retrievers asked, stored and
# measured.
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
