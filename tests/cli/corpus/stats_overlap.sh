# 100 letters in windows of 40 that share 10: 40, 40, 40, of which 20 bytes stand twice.
mkdir docs
for i in 1 2 3 4 5 6 7 8 9 10; do printf 'abcdefghij'; done >docs/a.txt
"$ASSAY" ingest docs --chunker 'chars(size=40,overlap=10)' --quiet >/dev/null
"$ASSAY" corpus stats --json | grep -E '"(chunk_bytes|covered|covered_twice|document_bytes)"'
