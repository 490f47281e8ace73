cd $FIX/eval && for t in score id-up rank listed optimistic pessimistic; do
    echo $t; $ASSAY eval tied.trec --golden tied.qrels -m mrr,hit@2 --ties $t --format tsv
done
$ASSAY eval tied.trec --golden tied.qrels -m mrr,hit@2 --ties bounds
