$ASSAY chunk $FIX/chunk/desk.py -c 'lines(size=8,overlap=2)' --text
$ASSAY chunk $FIX/chunk/desk.py -c 'md-heading(target=20,overlap=0)'
