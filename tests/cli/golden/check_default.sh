cp "$FIX/golden/relmap/good.json" .
ASSAY_GOLDEN=good.json "$ASSAY" golden check
