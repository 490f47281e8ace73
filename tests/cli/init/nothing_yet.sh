"$ASSAY" init fresh
find fresh -type f | sort
"$ASSAY" init fresh
