# What 'assay ingest' would do, from any folder of the project.
. "$SRC/tests/cli/corpus/make.inc"
printf 'corpus: {paths: [docs]}\n' >assay.yaml
"$ASSAY" ingest --quiet >/dev/null
"$ASSAY" corpus diff
rm docs/one.txt
echo new >docs/new.txt
echo changed >docs/broken.txt
cd docs/sub
"$ASSAY" corpus diff
"$ASSAY" corpus diff --json --exit-code
echo $?
"$ASSAY" corpus list --format csv | cut -d, -f1-2 | tr -d '\r'
