g=$FIX/benchmark/harbour.json
sweep() { "$ASSAY" sweep --golden "$g" --method rerank --reranker "cmd:sh $FIX/rerank/count.sh $1" --metric mrr --quiet --json \
    --vary 'depth=1,4' --vary 'of=bm25,hybrid' | grep -e '"text"' -e '"setting"' -e '"resumed"' | sort; }
sweep damage
# Another reranker is another sweep.
sweep harbour >/dev/null
"$ASSAY" runs list --suite sweep --format csv | wc -l
"$ASSAY" sweep --golden "$g" --method rerank --vary 'hybrid.bm25.k1=1,2' --reranker "cmd:sh $FIX/rerank/count.sh boat" --metric mrr --quiet --json |
    grep -o 'rerank(hybrid.bm25.k1=.)' | sort -u
