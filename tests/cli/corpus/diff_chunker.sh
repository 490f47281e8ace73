. "$SRC/tests/cli/corpus/make.inc"
"$ASSAY" ingest docs --chunker whole --quiet >/dev/null
"$ASSAY" corpus diff --chunker md-heading
"$ASSAY" corpus diff --chunker whole
"$ASSAY" corpus diff a b --chunker whole
"$ASSAY" corpus diff --chunker md-headings
