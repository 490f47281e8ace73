printf 'x\n' >x.txt
printf 'a\0b' >binary.bin
$ASSAY chunk x.txt -c md-headin; echo $?
$ASSAY chunk x.txt -c 'chars(sise=3)'; echo $?
$ASSAY chunk x.txt -c 'md-heading@9'; echo $?
$ASSAY chunk x.txt --id ''; echo $?
$ASSAY chunk nosuch.md; echo $?
$ASSAY chunk binary.bin; echo $?
$ASSAY chunk; echo $?
