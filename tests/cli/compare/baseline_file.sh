# A baseline that is a text file stands for run a: by its values, and by the ranks that it has.
cd $FIX/gate
$ASSAY compare after.jsonl --baseline baseline.txt -g golden.yaml -m mrr
for f in md json; do
    $ASSAY compare after.jsonl --baseline baseline.txt -g golden.yaml -m mrr --format $f | grep 'q2\|q4\|"b"\|^| mrr'
done
$ASSAY compare after.jsonl --baseline baseline.txt -g golden.yaml -m map; echo "exit $?"
$ASSAY compare after.jsonl --baseline baseline.txt -g other.yaml; echo "exit $?"
