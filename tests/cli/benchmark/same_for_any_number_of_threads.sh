for n in 1 2 5; do
    "$ASSAY" benchmark retrieval "$FIX/benchmark/harbour.json" --jobs $n --quiet --json |
        grep -v '_ms"' > $n.json
done
cmp 1.json 2.json && cmp 1.json 5.json && grep -c '"rank"' 1.json
