. "$SRC/tests/cli/corpus/make.inc"
"$ASSAY" ingest docs --quiet >/dev/null
for place in guide.md:5-2 guide.md:5-5 guide.md:5 guide.md:0-9999 guide.md:L0 guide.md:L99 \
    guide.md:C0-999 'guide.md:#' 'guide.md:#No such' guide.md: nowhere.md :L1 ''; do
    "$ASSAY" corpus text "$place"
done
"$ASSAY" corpus text
