# A corpus that may only be read: the check goes on, and what it could not note is told.
. "$SRC/tests/cli/golden/corpus.inc"
printf 'version: 1\nqueries:\n  - {id: q, query: who, relevant: [{chunk: %s}]}\n' \
    "$(id refunds.md 2)" >golden.yaml
# Root may write everywhere, unless it gives that up.
run=
[ "$(command id -u)" = 0 ] && run='setpriv --bounding-set=-dac_override,-dac_read_search'
chmod 444 .assay/corpus/main.db
chmod 555 .assay/corpus
$run "$ASSAY" golden check golden.yaml --corpus main 2>&1 | grep -v "only 1 query" | grep "resolved\|note"
$run "$ASSAY" golden check golden.yaml --corpus main --quiet 2>&1 | grep -v "only 1 query" | grep "resolved\|note"
chmod 755 .assay/corpus
chmod 644 .assay/corpus/main.db
"$ASSAY" golden check golden.yaml --corpus main 2>&1 | grep -v "only 1 query" | grep "resolved\|note"
# Nothing is to be written any more.
chmod 444 .assay/corpus/main.db
chmod 555 .assay/corpus
$run "$ASSAY" golden check golden.yaml --corpus main 2>&1 | grep -v "only 1 query" | grep "resolved\|note"
chmod 755 .assay/corpus
"$ASSAY" corpus show | grep md-heading
