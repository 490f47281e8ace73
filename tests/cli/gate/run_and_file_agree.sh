# The same verdict from a run and from the file that was made of it.
cd $FIX/gate
for b in before.jsonl baseline.txt; do
    $ASSAY gate after.jsonl -g golden.yaml --baseline $b --margin mrr=0.05,recall@5=0 --protect all --json | grep -v '"baseline"\|match' >$TMPDIR/$b
done
cmp $TMPDIR/before.jsonl $TMPDIR/baseline.txt && echo same
