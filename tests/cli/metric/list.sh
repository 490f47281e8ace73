$ASSAY metric list --format csv | head -3; $ASSAY metric list --json | head -8
