# Keys of commands to come are checked for their kind and kept.
cp "$FIX/golden/assay/good.yaml" golden.yaml
cat >assay.yaml <<END
methods: [bm25, {name: dense, dims: 128}]
embedder: lsa(dims=64)
gate: {mrr: 0.5}
protected: [q1]
x_note: anything
END
"$ASSAY" golden check --quiet | head -n 1
echo 'methods: {bm25: 1}' >assay.yaml
"$ASSAY" golden check --quiet
