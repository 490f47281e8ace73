# From a golden set and a run to a report: evidence, answers, slices, rows.
"$ASSAY" eval "$SRC/samples/korean.run.jsonl" --golden "$SRC/samples/korean.golden.yaml" \
    --threads 1 -q --by difficulty --ci --json
