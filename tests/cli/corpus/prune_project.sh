# The project's own golden set is looked at without being told; one that cannot be read stops
# everything.
. "$SRC/tests/cli/golden/corpus.inc"
md=$(id refunds.md 2)
"$ASSAY" ingest docs --chunker whole --quiet >/dev/null
printf 'corpus: {paths: [docs]}\ngolden: my.yaml\n' >assay.yaml
echo '-- it is not there yet'
"$ASSAY" corpus prune --dry-run
printf 'version: 1\nqueries:\n  - {id: q, query: who, relevant: [{chunk: %s}]}\n' "$md" >my.yaml
echo '-- it names a chunk'
(cd docs && "$ASSAY" corpus prune)
"$ASSAY" corpus show | grep md-heading
cp my.yaml good
echo 'version: 1 queries' >my.yaml
"$ASSAY" corpus prune
echo "exit $?"
cp good my.yaml
"$ASSAY" corpus prune --golden nowhere.yaml
echo "exit $?"
echo '-- one that is gone is forgotten'
printf 'corpus: {paths: [docs]}\n' >assay.yaml
rm my.yaml
"$ASSAY" corpus prune
"$ASSAY" corpus prune --forget nobody
echo "exit $?"
"$ASSAY" corpus prune --forget my.yaml
cp good my.yaml
"$ASSAY" golden check my.yaml --corpus main --quiet | grep 'resolved\|lost'
