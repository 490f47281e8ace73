# Settings stand for flags.
cp "$FIX"/trec/tiny.* .
printf 'golden: tiny.qrels\nmetrics: [mrr, P@5]\nthreads: 1\ncorpus: [{name: a, paths: [x]}]\n' >assay.yaml
"$ASSAY" eval tiny.run
