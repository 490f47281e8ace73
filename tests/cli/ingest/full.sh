# No space: a message, exit 4, and what was there before is still there.
mkdir docs
printf '# One\n' >docs/one.md
"$ASSAY" ingest docs >/dev/null || exit
i=0
while [ $i -lt 40 ]; do
    head -c 60000 /dev/urandom | od -An -tx1 >docs/$i.txt
    i=$((i + 1))
done
(ulimit -f 1500; "$ASSAY" ingest docs)
echo "exit $?"
"$ASSAY" ingest docs/one.md | head -n 5 | tail -n 1
rm docs/[0-9]*.txt
"$ASSAY" ingest docs | grep -E '^(unchanged|failed|documents)'
