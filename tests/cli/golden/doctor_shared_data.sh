# What ../shared/data/README.md lists as quirks: sets without labels, the empty documents 471
# and 995 of cran, cacm's 12 queries that nobody judged and 58 documents without a text,
# 3237 - 323 queries of nfcorpus' other splits; musique's titles repeat, its documents do not.
data=$SRC/../shared/data
[ -d "$data" ] || { echo "skipped: no ../shared/data"; exit 77; }
look()
{
    echo "== $1"
    (cd "$data" && "$ASSAY" golden doctor "$1" --quiet --most 0) >out
    echo "exit $?, $(grep -c "$2" out) found"
    grep "$2" out | head -n 2
}
look kebab/fixtures/golden_queries.yaml nothing-labelled
look kebab/fixtures/multi_hop_golden.yaml nothing-labelled
look bob/docs/eval/example_gold.jsonl nothing-labelled
look evalvault/examples/benchmarks/korean_rag/retrieval_test.json saturated
look cran empty-document
look cacm 'unlabelled\|empty-document'
look hipporag-musique-train 'twin\|duplicate'
look beir-nfcorpus unlabelled
grep -c "document 'MED-4633' has the same words as 'MED-5342'" out
