# Without a path and without an assay.yaml that lists some there is nothing to ingest.
"$ASSAY" ingest
echo "exit $?"
"$ASSAY" ingest nowhere
echo "exit $?"
ls -A
