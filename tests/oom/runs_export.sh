# A bundle, out of one store and into another.
zstd -q -d "$SRC/tests/compat/store_1.db.zst" -o s.db
"$ASSAY" runs export latest --no-times --store s.db --quiet >b && cat b &&
    "$ASSAY" runs import b --store t.db --date 2026-01-01 --quiet >taken
