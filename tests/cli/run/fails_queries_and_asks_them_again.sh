cat > some.sh <<'X'
while read -r line; do
    id=$(echo "$line" | sed 's/.*"id":"\([^"]*\)".*/\1/')
    if [ "$id" = "$(cat bad)" ]; then
        echo "{\"id\":\"$id\",\"error\":\"the index is on fire\"}"
    else
        echo "{\"id\":\"$id\",\"hits\":[{\"doc_id\":\"x\",\"score\":1}]}"
    fi
done
X
"$ASSAY" golden stats "$FIX/benchmark/harbour.json" >/dev/null
first=$(grep -o '"test_id": *"[^"]*"' "$FIX/benchmark/harbour.json" | head -1 | sed 's/.*: *"//; s/"//')
echo "$first" > bad
say() { sed -E 's/run_[0-9a-f]{32}/RUN/g'; }
"$ASSAY" run --golden "$FIX/benchmark/harbour.json" --system 'cmd:sh some.sh' --metric mrr --quiet >out 2>err
echo "rc $?"
say <out | grep -e failed -e fire
say <err
echo nobody > bad
"$ASSAY" run --retry-errors latest --metric mrr --quiet >out 2>err
echo "rc $?"
say <out | grep -e failed
