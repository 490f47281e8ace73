# Where two runs lose their queries, and what changed one.
"$ASSAY" explain "$SRC/tests/fixtures/compare/kebab_a.jsonl" "$SRC/tests/fixtures/compare/kebab_b.jsonl" \
    --golden "$SRC/tests/fixtures/compare/kebab.golden.yaml" --threads 1 --most 2
