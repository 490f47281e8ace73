# A system with noise: its n-th run, told by a file, finds or does not.
cat > noise.sh <<'X'
n=$(cat count 2>/dev/null || echo 0)
echo $((n + 1)) > count
while read -r line; do
    id=$(echo "$line" | sed 's/.*"id":"\([^"]*\)".*/\1/')
    if [ $((n % 2)) = 1 ]; then hit=doc-$id; else hit=other; fi
    echo "{\"id\":\"$id\",\"hits\":[{\"doc_id\":\"$hit\",\"score\":1}]}"
done
X
cat > g.json <<'X'
{"test_cases":[{"test_id":"a","query":"one","relevant_doc_ids":["doc-a"]},
{"test_id":"b","query":"two","relevant_doc_ids":["doc-b"]}]}
X
"$ASSAY" run --golden g.json --system 'cmd:sh noise.sh' --metric mrr --repeat 3 --quiet | sed -E 's/run_[0-9a-f]{32}/RUN/'
