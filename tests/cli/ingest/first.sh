# New, unchanged, changed, gone, left out: each is counted.
mkdir -p docs/sub
printf '# One\n\nText of one.\n' >docs/one.md
printf 'Plain text.\n\nTwo paragraphs.\n' >docs/sub/two.txt
printf '{"id": "r1", "text": "first"}\n{"id": "r2", "text": "second"}\n' >docs/records.jsonl
printf 'a\0b\0c\n' >docs/blob.bin
printf '*.log\n' >docs/.gitignore
echo noise >docs/x.log
"$ASSAY" ingest docs || exit
echo "--- again"
"$ASSAY" ingest docs || exit
echo "--- changed, gone, new"
printf '# One\n\nOther text of one.\n' >docs/one.md
rm docs/sub/two.txt
printf 'new\n' >docs/three.txt
"$ASSAY" ingest docs --verbose 2>events || exit
sort events
