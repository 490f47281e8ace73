# Folders with documents become the paths; the files are what assay itself reads.
mkdir .git
cp -r "$SRC/samples" project && cd project
"$ASSAY" init
cat assay.yaml golden.yaml
ls -A | grep git
"$ASSAY" golden check --quiet
