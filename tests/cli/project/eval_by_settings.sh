# Keys stand for flags that were not given; flags win; --no-NAME takes one back.
cp "$FIX"/trec/tiny.* .
mkdir deep
cat >assay.yaml <<END
golden: tiny.qrels
metrics: [mrr, recall@5]
ci: true
END
"$ASSAY" eval tiny.run | head -n 6
(cd deep && "$ASSAY" eval ../tiny.run -m P@5 --no-ci | head -n 5)
