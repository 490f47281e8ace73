$ASSAY chunker show md-heading
$ASSAY chunker show 'chars(size=300)' --json
$ASSAY chunker show nosuch
