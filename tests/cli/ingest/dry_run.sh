# Nothing is written, not even the folder.
mkdir docs
printf '# One\n' >docs/one.md
"$ASSAY" ingest docs --dry-run || exit
ls -A
"$ASSAY" ingest docs >/dev/null || exit
printf '# Two\n' >docs/two.md
printf '# One, changed\n' >docs/one.md
"$ASSAY" ingest docs --dry-run || exit
