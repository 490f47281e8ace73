# Nothing in a file, or nothing in all of them.
mkdir docs empty
: >docs/empty.md
printf '\357\273\277' >docs/mark.txt
printf ' \n\n\t\n' >docs/blank.txt
printf '{}' >docs/none.json
"$ASSAY" ingest docs | sed 1,2d | grep -v hash
"$ASSAY" corpus show --format csv | tr -d '\r'
"$ASSAY" corpus chunks blank.txt
"$ASSAY" corpus stats | sed 1,5d
"$ASSAY" ingest empty --corpus none | sed 1,2d | grep -v hash
"$ASSAY" corpus stats none | sed 1,5d
"$ASSAY" corpus diff none
"$ASSAY" ingest nowhere
"$ASSAY" ingest ''
