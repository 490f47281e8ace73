cat > assay.yaml <<'X'
version: 1
methods: [bm25]
suite: nightly
X
"$ASSAY" run --golden "$FIX/benchmark/harbour.json" --quiet --metric mrr >out
"$ASSAY" run --golden "$FIX/benchmark/harbour.json" --quiet --metric mrr --method dense --suite other >out
"$ASSAY" runs list --format csv | cut -d, -f3,4 | sort
