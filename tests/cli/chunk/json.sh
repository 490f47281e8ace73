$ASSAY chunk $FIX/chunk/pages.txt --json
$ASSAY chunk $FIX/chunk/pages.txt -c 'words(size=4,overlap=1)' --format jsonl
