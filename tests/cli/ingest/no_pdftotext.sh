# A PDF without pdftotext: says what to install, and the rest is read.
mkdir docs bin
printf '%%PDF-1.4\n%%\342\343\317\323\n1 0 obj\n<<>>\nendobj\n' >docs/paper.pdf
echo text >docs/a.txt
PATH=$PWD/bin "$ASSAY" ingest docs | sed 1,2d | grep -v hash
"$ASSAY" ingest docs --pdftotext ./no-such-program | grep -A1 failed
printf 'pdftotext: ./nor-this-one\n' >assay.yaml
"$ASSAY" ingest docs | grep -A1 failed
