# Two runs with answers, by evidence, with slices, as a page.
"$ASSAY" compare "$SRC/tests/fixtures/compare/kebab_a.jsonl" "$SRC/tests/fixtures/compare/kebab_b.jsonl" \
    --golden "$SRC/tests/fixtures/compare/kebab.golden.yaml" -m mrr,recall@5 --by label --min-n 1 \
    --threads 1 --format md
