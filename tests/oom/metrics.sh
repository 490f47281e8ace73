# Stored runs measured again, from a store that is there.
zstd -q -d "$SRC/tests/compat/store_1.db.zst" -o s.db
"$ASSAY" metrics --all --suite nightly --jobs 1 --dry-run --store s.db --quiet
