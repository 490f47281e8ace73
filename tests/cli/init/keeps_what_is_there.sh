mkdir .git
mkdir docs
echo '# A' >docs/a.md
echo 'mine: yes' >golden.yaml
"$ASSAY" init --quiet
cat golden.yaml
echo '# edited' >assay.yaml
"$ASSAY" init
cat assay.yaml
