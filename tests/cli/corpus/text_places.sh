. "$SRC/tests/cli/corpus/make.inc"
"$ASSAY" ingest docs --quiet >/dev/null
text() { echo "-- $1"; "$ASSAY" corpus text "$@"; }
text guide.md
text guide.md:2-7
text guide.md:L5-7
text guide.md:L3
text guide.md:#Setup
text 'guide.md:#Guide > Setup'
text sub/ko.md:C2-4
text guide.md:L5-7 --json
