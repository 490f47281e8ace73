mkdir .git
"$ASSAY" init fresh
find fresh -type f | sort
"$ASSAY" init fresh
