for n in 1 2 5; do
    "$ASSAY" trec_eval --threads $n --full -q -m all_trec "$FIX/trec/tiny.qrels" "$FIX/trec/tiny.run" > out.$n
done
cmp out.1 out.2 && cmp out.1 out.5 && wc -l < out.1
