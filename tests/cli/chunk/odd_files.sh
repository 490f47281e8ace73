: >empty.md
$ASSAY chunk empty.md
printf ' \n\t\n' >white.txt
$ASSAY chunk white.txt
printf '# A\n\nb \377 c\033[31m\n' | $ASSAY chunk - --form markdown
printf 'a\nb\n' | gzip -c >packed.txt.gz
$ASSAY chunk packed.txt.gz --id packed --json | grep -e doc_id -e chunk_id
