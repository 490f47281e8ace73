"$ASSAY" golden perturb "$FIX/benchmark/harbour.json" --kinds case,order -o g.yaml --quiet
"$ASSAY" run --golden g.yaml --method bm25 --quiet --metric mrr >out
id=$(grep -o 'run_[0-9a-f]*' out)
"$ASSAY" variants latest | sed "s/$id/RUN/"
"$ASSAY" variants latest --format md | head -5 | sed "s/$id/RUN/"
"$ASSAY" run --golden g.yaml --method bm25 --depth 20 --quiet --metric mrr >out
"$ASSAY" variants latest 2>&1 | sed -E 's/run_[0-9a-f]{32}/RUN/'
