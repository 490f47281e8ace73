$ASSAY chunk $FIX/chunk/refunds.md -c 'md-heading(target=30,overlap=12,max=40)' --text
