# Kept byte for byte under every chunker; replaced only to be shown.
mkdir docs
printf 'caf\351 \360\237 x\n\n# h\377ding\n\ntext \300\257\n\355\240\200\n' >docs/broken.md
printf '\357\273\277with a mark\r\nand CRLF\r\n' >docs/mark.txt
printf 'last byte cut \354\204' >docs/cut.txt
printf 'zero\000inside\n' >docs/zero.txt
for chunker in md-heading paragraph sentence chars words lines whole; do
    "$ASSAY" ingest docs --chunker $chunker --quiet >/dev/null
    for f in broken.md cut.txt; do
        "$ASSAY" corpus text $f --raw | cmp - docs/$f || echo "$chunker: $f differs"
    done
    # A byte order mark is no part of the text.
    tail -c +4 docs/mark.txt >want
    "$ASSAY" corpus text mark.txt --raw | cmp - want || echo "$chunker: mark.txt differs"
done
"$ASSAY" corpus text broken.md
"$ASSAY" corpus text cut.txt
"$ASSAY" corpus stats --json | grep not_utf8
"$ASSAY" corpus show --format csv | cut -d, -f1 | tr -d '\r'
