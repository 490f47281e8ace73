# A word that only the command knows is refused with the file's line as well.
cp "$FIX"/trec/tiny.* .
printf 'golden: tiny.qrels\nby:\n  - a\n' >assay.yaml
"$ASSAY" eval tiny.run
printf 'golden: tiny.qrels\nthreads: 5000000000\n' >assay.yaml
"$ASSAY" eval tiny.run
