. "$SRC/tests/cli/corpus/make.inc"
"$ASSAY" ingest docs --corpus a --quiet >/dev/null
rm docs/one.txt
printf '# More\n\nWords.\n' >docs/more.md
printf '# Guide\n\nHow to begin.\n\n## Setup\n\nRun it.\n' >docs/guide.md
"$ASSAY" ingest docs --corpus b --quiet >/dev/null
"$ASSAY" corpus diff a b
"$ASSAY" corpus diff a b --json
"$ASSAY" corpus diff b b
"$ASSAY" corpus diff b b --exit-code; echo $?
"$ASSAY" corpus diff a b --exit-code --format csv | tr -d '\r'
