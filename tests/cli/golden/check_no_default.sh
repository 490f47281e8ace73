unset ASSAY_GOLDEN
"$ASSAY" golden check
