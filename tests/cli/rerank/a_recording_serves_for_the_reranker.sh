g=$FIX/benchmark/harbour.json
cp "$FIX/rerank/count.sh" .
bench() { "$ASSAY" benchmark retrieval "$g" -m 'rerank(of=bm25,model=m1)' --reranker 'cmd:sh count.sh damage' --quiet --no-times "$@"; }
bench --record calls.jsonl >first
rm count.sh
bench --replay calls.jsonl >second && cmp first second && echo same
grep -c '"documents"' calls.jsonl
grep -c 'm1' calls.jsonl
# A question that was not asked then.
"$ASSAY" search 'lighthouse damage' --documents "$g" --method 'rerank(of=bm25)' --reranker 'cmd:sh count.sh damage' --replay calls.jsonl >/dev/null 2>err
echo "exit $?"
