# Parts of bm25's scores, with the chunking that each run was made with.
cp -r $SRC/samples/handbook $SRC/samples/handbook.golden.yaml .
$ASSAY ingest handbook --corpus one --quiet >/dev/null || exit 1
$ASSAY run -g handbook.golden.yaml --corpus one --method bm25 --only h-09 --quiet >/dev/null
$ASSAY run -g handbook.golden.yaml --corpus one --method 'bm25(k1=0.2)' --only h-09 --quiet >/dev/null
$ASSAY explain latest~1 latest h-09 --corpus one | sed -n '/^a: rank/,$p'
