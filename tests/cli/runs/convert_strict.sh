"$ASSAY" runs convert "$FIX/run/jsonl/good_full.jsonl" --to trec --strict -o out.trec
rc=$?
ls
exit $rc
