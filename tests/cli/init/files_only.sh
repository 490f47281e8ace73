# Documents in the folder itself: the folder is the path.
mkdir .git
mkdir -p project && cd project
printf '# A\n' >a.md
printf 'b\n' >b.txt
printf 'c\n' >c.o
"$ASSAY" init
sed -n '/^corpus/,/chunker/p' assay.yaml
grep doc: golden.yaml
