# A system that dies, with assay, in the middle of the third query; then one that does not.
cat > once.sh <<'X'
n=0
while read -r line; do
    n=$((n + 1))
    [ $n -eq 3 ] && [ ! -e second ] && kill -9 $PPID && sleep 5
    id=$(echo "$line" | sed 's/.*"id":"\([^"]*\)".*/\1/')
    echo "{\"id\":\"$id\",\"hits\":[{\"doc_id\":\"doc-$id\",\"score\":1}]}"
done
X
run() { "$ASSAY" run --golden "$FIX/benchmark/harbour.json" --system 'cmd:sh once.sh' --metric mrr --quiet "$@"; }
(run >out1 2>err1) 2>/dev/null
echo "killed: $?"
"$ASSAY" runs list --json | grep -E '"(status|done|planned)"' | tr -d ' '
touch second
"$ASSAY" run --resume latest --quiet --metric mrr >out2
echo "resumed: $?"
"$ASSAY" runs export latest --no-times -o resumed.jsonl
run >out3
"$ASSAY" runs export latest --no-times -o straight.jsonl
cmp resumed.jsonl straight.jsonl && echo the same
