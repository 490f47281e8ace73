# Three thousand files in, unchanged, and out again.
mkdir docs
i=0
while [ $i -lt 30 ]; do
    mkdir docs/$i
    j=0
    while [ $j -lt 100 ]; do echo "# $i.$j" >docs/$i/$j.md; j=$((j + 1)); done
    i=$((i + 1))
done
"$ASSAY" ingest docs | grep -E '^(read|documents|chunks|failed)'
touch -d '2001-01-01' docs/7/7.md
"$ASSAY" ingest docs | grep -E '^(read|replaced|removed|failed)'
rm -r docs/2*
"$ASSAY" ingest docs | grep -E '^(read|removed|documents)'
