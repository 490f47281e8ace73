# With a corpus a quote must be found, and at one place only.
. "$SRC/tests/cli/golden/corpus.inc"
add() { "$ASSAY" golden add golden.yaml --corpus main "$@"; echo "exit $?"; }
add --query 'Who approves?' --doc refunds.md --quote 'approved by the FINANCE lead'
add --query 'Who approves?' --doc refunds.md --quote 'approved by the moon over Cairo'
add --query 'How is it told?' --doc refunds.md --quote 'The customer is told by mail.'
add --query 'How is it told?' --doc refunds.md --quote 'The customer is told by mail.' --lines 10
add --query 'Where?' --doc refund.md
cat golden.yaml
