# A project is begun.
mkdir -p docs .git
echo '# A' >docs/a.md
echo '# B' >b.md
"$ASSAY" init
