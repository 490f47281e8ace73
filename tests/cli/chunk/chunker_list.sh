$ASSAY chunker list
$ASSAY chunker list --format csv | head -2
$ASSAY chunker list --json | head -40
