printf 'these are no hits\n' >notes.txt
"$ASSAY" runs convert notes.txt --to jsonl
