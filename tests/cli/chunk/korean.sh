$ASSAY chunk $FIX/chunk/refunds_ko.md
$ASSAY chunk $FIX/chunk/refunds_ko.md -c 'sentence(target=12)' -v
$ASSAY chunk $FIX/chunk/refunds_ko.md -c 'chars(size=60,overlap=10)'
