# A file that is no corpus does not hide the others.
. "$SRC/tests/cli/corpus/make.inc"
"$ASSAY" ingest docs --quiet >/dev/null
echo 'no database at all, but long enough to look at its head' >.assay/corpus/bad.db
echo x >.assay/corpus/notes.txt
mkdir -p '.assay/corpus/-odd.db'
"$ASSAY" corpus list --format csv | calm | cut -d, -f1-4
echo "$?"
"$ASSAY" corpus list --quiet >/dev/null
