mkdir .git
echo >assay.yaml
"$ASSAY" init below >/dev/null
"$ASSAY" init below --quiet
