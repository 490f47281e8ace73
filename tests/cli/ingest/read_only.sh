# A folder that may not be written: a message and exit 4.
mkdir docs
printf '# One\n' >docs/one.md
echo file >file
"$ASSAY" ingest docs --workspace file
echo "exit $?"
# Root may write everywhere, unless it gives that up.
run=
[ "$(id -u)" = 0 ] && run='setpriv --bounding-set=-dac_override,-dac_read_search'
chmod 555 .
$run "$ASSAY" ingest docs
echo "exit $?"
chmod 755 .
"$ASSAY" ingest docs | grep ^hash || exit
chmod 555 .assay/corpus
chmod 444 .assay/corpus/main.db
echo more >>docs/one.md
$run "$ASSAY" ingest docs
echo "exit $?"
$run "$ASSAY" ingest docs --dry-run | grep ^replaced
chmod 755 .assay/corpus
