mkdir a b
cp $FIX/chunk/refunds.md a; cp $FIX/chunk/refunds.md b
$ASSAY chunk a/refunds.md --format jsonl >one
$ASSAY chunk b/refunds.md --format jsonl >two
cmp one two && wc -l <one
