$ASSAY chunk $FIX/chunk/pages.txt --format md
