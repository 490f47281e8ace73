# Lists and trends of stored runs.
zstd -q -d "$SRC/tests/compat/store_1.db.zst" -o s.db
"$ASSAY" runs list --store s.db --quiet && "$ASSAY" runs trend mrr --json --store s.db --quiet
