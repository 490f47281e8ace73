. "$SRC/tests/cli/corpus/make.inc"
"$ASSAY" ingest docs --quiet >/dev/null
"$ASSAY" ingest docs --chunker 'chars(size=20,overlap=5)' --quiet >/dev/null
"$ASSAY" corpus show | calm
"$ASSAY" corpus show --format csv | tr -d '\r'
"$ASSAY" corpus show main --json | calm
