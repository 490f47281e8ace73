# A small tree, twice, and then by another chunker: whatever allocation fails, the corpus
# stays one that can be used.
mkdir docs
printf '# One\n\nText of one.\n\n## Two\n\nMore of it.\n' >docs/one.md
printf '{"id": "r1", "text": "first"}\n{"id": "r2", "text": "second"}\n' >docs/records.jsonl
printf 'zst' | gzip -n >docs/note.txt.gz
touch -d @1000000000 docs/*
"$ASSAY" ingest docs --jobs 1 --quiet || exit
printf '# One\n\nOther text.\n' >docs/one.md
touch -d @1000000001 docs/one.md
"$ASSAY" ingest docs --jobs 1 --quiet --chunker paragraph
