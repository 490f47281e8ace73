$ASSAY runs list
echo $?
$ASSAY runs show latest --store elsewhere.db
echo $?
ls -A
