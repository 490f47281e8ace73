cd $FIX/eval && $ASSAY eval twice.trec --golden twice.qrels -m mrr
echo "exit $?"
$ASSAY eval twice.trec --golden twice.qrels -m mrr --duplicates first
