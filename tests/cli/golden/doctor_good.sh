# No false alarm of level error or warning on the samples.
cp -r "$SRC/samples" .
for set in handbook korean; do
    "$ASSAY" ingest samples/$set --corpus $set.db >/dev/null
    "$ASSAY" golden doctor samples/$set.golden.yaml --corpus $set.db --level warning --format md
    echo "exit $?"
done
