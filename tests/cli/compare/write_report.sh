mkdir there
a=$SRC/samples/runs/before.jsonl b=$SRC/samples/runs/after.jsonl
$ASSAY compare $a $b -g $SRC/samples/handbook.golden.yaml -m mrr --format csv --write-report >/dev/null
$ASSAY compare $a $b -g $SRC/samples/handbook.golden.yaml -m mrr --format csv --write-report there >/dev/null
$ASSAY compare $a $b -g $SRC/samples/handbook.golden.yaml -m mrr --format csv --write-report=elsewhere/deep >/dev/null
$ASSAY compare $a $b -g $SRC/samples/handbook.golden.yaml -m mrr --format md -o md.md
find . -type f | sort
cmp there/report.md elsewhere/deep/report.md && cmp there/report.md md.md && head -n 3 there/report.md
