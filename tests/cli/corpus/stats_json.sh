. "$SRC/tests/cli/corpus/make.inc"
"$ASSAY" ingest docs --quiet >/dev/null
"$ASSAY" corpus stats main --json | calm
