printf 'q1 map 0.25 0.5\nq2 map 0.5 0\n' > z
"$ASSAY" trec_eval -q -m map -m P.5 -Z z "$FIX/trec/tiny.qrels" "$FIX/trec/tiny.run"
