. "$SRC/tests/cli/corpus/make.inc"
"$ASSAY" ingest docs --quiet >/dev/null
"$ASSAY" corpus chunks sub/ko.md
"$ASSAY" corpus chunks broken.txt --json
"$ASSAY" corpus chunks guide.md --format csv | tr -d '\r'
"$ASSAY" corpus chunks nowhere.md
