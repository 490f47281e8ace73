$ASSAY metric show recall
$ASSAY metric show nosuch
