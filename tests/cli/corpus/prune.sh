. "$SRC/tests/cli/corpus/make.inc"
"$ASSAY" ingest docs --quiet >/dev/null
"$ASSAY" ingest docs --chunker whole --quiet >/dev/null
"$ASSAY" ingest docs --chunker 'lines(size=1,overlap=0)' --quiet >/dev/null
keep=$("$ASSAY" corpus show --json | grep -o 'whole@[^"]*' | head -n 1)
"$ASSAY" corpus prune --dry-run
"$ASSAY" corpus prune --keep "$keep"
"$ASSAY" corpus prune --keep nothing
"$ASSAY" corpus prune --json
"$ASSAY" corpus prune
"$ASSAY" corpus show | grep -c '@1'
