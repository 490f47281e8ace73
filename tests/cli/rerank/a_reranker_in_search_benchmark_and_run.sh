# A program that counts a word orders what bm25 found.
cp "$FIX/rerank/count.sh" .
by="cmd:sh count.sh Berg"
g=$FIX/benchmark/harbour.json
"$ASSAY" search 'crane harbour ferry' --documents "$g" --method 'rerank(of=bm25,depth=3)' --reranker "$by" --json |
    grep -v -e elapsed
"$ASSAY" benchmark retrieval "$g" -m 'bm25,rerank(of=bm25,depth=4)' --reranker "$by" --quiet --no-times
"$ASSAY" run --golden "$g" --method 'rerank(of=bm25)' --reranker "$by" --metric mrr --quiet | tail -n +2 | sed 's/run_[0-9a-f]*/RUN/'
# Who reranked is kept with the run.
"$ASSAY" runs show latest --json | grep -o 'rerank(depth=50) by cmd:sh count.sh Berg of bm25' | head -n 1
