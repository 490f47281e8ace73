# A line break or an escape in a name does not break the table.
mkdir docs
printf x >"docs/$(printf 'a\nb').txt"
printf y >"docs/$(printf 'c\033[2Jd').txt"
printf z >"docs/문서.txt"
"$ASSAY" ingest docs --quiet >/dev/null
"$ASSAY" corpus show | tail -n 3
"$ASSAY" corpus show --json | grep '"id"'
"$ASSAY" corpus text "$(printf 'a\nb').txt"
