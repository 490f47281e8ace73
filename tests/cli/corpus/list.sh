. "$SRC/tests/cli/corpus/make.inc"
"$ASSAY" corpus list
"$ASSAY" ingest docs --quiet >/dev/null
"$ASSAY" ingest docs/sub --corpus other --chunker whole --quiet >/dev/null
"$ASSAY" corpus list | calm
"$ASSAY" corpus list --json | calm
"$ASSAY" corpus list --format csv | calm | tr -d '\r'
