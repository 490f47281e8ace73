# Values that others recorded.
"$ASSAY" compare "$SRC/tests/fixtures/compare/vault_baseline.json" \
    "$SRC/tests/fixtures/compare/vault_candidate.json" --threads 1 --json
