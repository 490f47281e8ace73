# A run file measured and stored.
"$ASSAY" runs import "$FIX/eval/tied.trec" -g "$FIX/eval/tied.qrels" --quiet >taken
