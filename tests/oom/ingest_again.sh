# Changed, gone, failing and left out, and another chunker; then the same without memory
# lacking, which must find a corpus that is whole.
mkdir docs
printf '# One\n\nText of one.\n\n## Two\n\nMore of it.\n' >docs/one.md
printf '{"id": "r1", "text": "first"}\n{"id": "r2", "text": "second"}\n' >docs/records.jsonl
printf 'gone soon\n' >docs/gone.txt
env -u ASSAY_FAIL_ALLOC "$ASSAY" ingest docs --jobs 1 --quiet >/dev/null || exit
printf '# One\n\nOther text.\n' >docs/one.md
printf '*.log\n' >docs/.gitignore
echo noise >docs/a.log
rm docs/gone.txt
"$ASSAY" ingest docs --jobs 1 --quiet --chunker paragraph
rc=$?
env -u ASSAY_FAIL_ALLOC "$ASSAY" ingest docs --jobs 1 --quiet --chunker paragraph >after ||
    exit 98
grep '^hash' after
exit $rc
