$ASSAY chunk $FIX/chunk/refunds.md
