# Run ids are made of the time: here they are only counted.
ids() { sed -E 's/run_[0-9a-f]{32}/run_ID/'; }
"$ASSAY" run --golden "$FIX/benchmark/harbour.json" --method bm25,dense -k 2 --quiet --metric hit@1,mrr,recall@2 | ids
"$ASSAY" runs list --format csv | cut -d, -f3 | sort | uniq -c | sed 's/^ *//'
