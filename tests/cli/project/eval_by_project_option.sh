mkdir -p p
cp "$FIX"/trec/tiny.* p
printf 'golden: tiny.qrels\nmetrics: [mrr]\n' >p/assay.yaml
"$ASSAY" eval p/tiny.run --project p | head -n 5
"$ASSAY" eval p/tiny.run --project q
