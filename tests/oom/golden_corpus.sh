# A golden set is looked up in a corpus, which is made with all the memory it wants.
env -u ASSAY_FAIL_ALLOC "$ASSAY" ingest "$SRC/samples/handbook/golden" --quiet >/dev/null || exit
id=$(env -u ASSAY_FAIL_ALLOC "$ASSAY" corpus chunks anchors.md --format csv | sed -n '2s/,.*//p')
cat >golden.yaml <<END
version: 1
queries:
  - {id: q, query: a, relevant: [{doc: anchors.md, lines: 3-4}, {doc: x}, {chunk: c1}, {chunk: $id}]}
  - {id: r, query: a, relevant: [{doc: judgments.md}]}
END
"$ASSAY" golden check golden.yaml --corpus main --threads 1 --quiet
