cp "$FIX/rerank/count.sh" .
g=$FIX/benchmark/harbour.json
for how in twice few beyond word garbage end mute error; do
    [ $how = mute ] && timeout=0.3 || timeout=30
    "$ASSAY" search 'crane harbour ferry' --documents "$g" --method "rerank(of=bm25,timeout=$timeout,retries=0)" \
        --reranker "cmd:sh count.sh Berg $how"
    echo "$how: exit $?"
done
"$ASSAY" run --golden "$g" --method 'rerank(of=bm25,retries=0)' --reranker "cmd:sh count.sh Berg error" --metric mrr --quiet 2>/dev/null |
    grep -c 'the reranker says'
"$ASSAY" search harbour --documents "$g" --method rerank
