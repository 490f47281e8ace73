"$ASSAY" ingest "$SRC/samples/handbook" --corpus h --quiet >/dev/null
run() { "$ASSAY" run --golden "$SRC/samples/handbook.golden.yaml" --corpus h --quiet "$@"; }
# With k beyond the number of relevant ones the oracle has them all, at any level.
for level in evidence doc; do
    run --method 'bm25(k1=1)' --controls --level $level --metric recall@20,ndcg@20 | sed -n 3,6p | awk '{print $1, $2, $NF}'
done
for name in bm25 random oracle; do
    echo "$name $("$ASSAY" runs list --tag control=$name --format csv | tail -n +2 | wc -l)"
done
"$ASSAY" runs list --format csv | tail -n +2 | wc -l
# A control that was interrupted goes on under its name.
run --retry-errors "$("$ASSAY" runs list --tag control=oracle --format csv | sed -n '2s/,.*//p')" | sed -n 5p
run --method hybrid --controls --tag control=mine
run --controls --system 'cmd:cat'
