# Byte for byte what the file is; replaced only to be shown.
. "$SRC/tests/cli/corpus/make.inc"
"$ASSAY" ingest docs --quiet >/dev/null
"$ASSAY" corpus text broken.txt
"$ASSAY" corpus text broken.txt --json | tail -n 3
for f in broken.txt guide.md main.c one.txt sub/ko.md sub/two.txt; do
    "$ASSAY" corpus text $f --raw | cmp - docs/$f && echo same
done
"$ASSAY" corpus text broken.txt:3-4 --raw | od -An -tx1
"$ASSAY" corpus text broken.txt -o out --raw && cmp out docs/broken.txt
"$ASSAY" corpus text broken.txt --raw --json
