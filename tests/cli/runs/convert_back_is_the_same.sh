# jsonl is canonical: converting it again changes no byte.
"$ASSAY" runs convert "$FIX/run/jsonl/good_full.jsonl" --to jsonl -o a.jsonl
"$ASSAY" runs convert a.jsonl --to jsonl -o b.jsonl.gz
"$ASSAY" runs convert b.jsonl.gz --to jsonl | cmp - a.jsonl && cat a.jsonl
