# A stored run shown, and one of its queries.
zstd -q -d "$SRC/tests/compat/store_1.db.zst" -o s.db
"$ASSAY" runs show latest --store s.db --quiet && "$ASSAY" runs show latest~2 --query h-02 --json --store s.db --quiet
