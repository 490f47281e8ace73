# The format and the query texts of the project's golden set; not of another one.
cp "$FIX"/golden/trec/good_topics.qrels* "$FIX/golden/assay/good.yaml" .
cat >assay.yaml <<END
golden: good_topics.qrels
golden_from: trec
topics: good_topics.qrels.topics
END
"$ASSAY" golden check
"$ASSAY" golden check good.yaml | head -n 2
