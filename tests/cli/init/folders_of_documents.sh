# Folders with documents become the paths; the files are what assay itself reads.
cp -r "$SRC/samples" project && cd project
"$ASSAY" init
cat assay.yaml golden.yaml
ls -A | grep git
"$ASSAY" golden check --quiet
