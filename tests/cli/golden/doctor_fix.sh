# --fix adds what twins lack; afterwards none is found.
. "$FIX/doctor/corpus.sh"
cp "$FIX/doctor/spoiled.golden.yaml" golden.yaml
"$ASSAY" golden doctor golden.yaml --corpus h.db --fix mended.yaml >/dev/null
diff golden.yaml mended.yaml
"$ASSAY" golden doctor mended.yaml --corpus h.db --most 0 >out
echo "twins left: $(grep -c '\[twin\]' out)"
"$ASSAY" golden doctor "$FIX/golden/trec/good.qrels" --fix x.yaml
echo "exit $?"
