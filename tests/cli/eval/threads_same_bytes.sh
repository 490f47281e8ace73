for t in 1 2 5; do
    $ASSAY eval $SRC/samples/runs/before.jsonl $SRC/samples/runs/after.jsonl -g $SRC/samples/handbook.golden.yaml \
        -q --json --quiet --threads $t > $t.json
done
cmp 1.json 2.json && cmp 1.json 5.json && echo same
