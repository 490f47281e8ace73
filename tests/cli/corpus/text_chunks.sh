# A chunk by its id: of today, of yesterday's chunker, of a text that was replaced.
. "$SRC/tests/cli/corpus/make.inc"
"$ASSAY" ingest docs --quiet >/dev/null
"$ASSAY" corpus chunks guide.md
id=$("$ASSAY" corpus chunks guide.md --json | grep -o '[0-9a-f]\{32\}' | tail -n 1)
"$ASSAY" corpus text "$id"
"$ASSAY" ingest docs --chunker whole --quiet >/dev/null
"$ASSAY" corpus text "$id" --json
printf '# Guide\n\nAll new.\n' >docs/guide.md
"$ASSAY" ingest docs --all --quiet >/dev/null
"$ASSAY" corpus text "$id"
"$ASSAY" corpus text 0123456789abcdef0123456789abcdef
