# Another chunker cuts what is stored; no file is read for it.
mkdir docs
printf '# One\n\nFirst.\n\n# Two\n\nSecond.\n' >docs/a.md
printf 'x\n\ny\n' >docs/b.txt
"$ASSAY" ingest docs --chunker whole || exit
echo "--- lines"
"$ASSAY" ingest docs --chunker 'lines(size=1,overlap=0)' || exit
echo "--- as before"
"$ASSAY" ingest docs || exit
echo "--- unknown"
"$ASSAY" ingest docs --chunker sentense
