# There and back through every format that can hold it: nothing changes.
cat >a.qrels <<EOF
q1 0 d1 1
q1 0 d2 1
q2 0 d2 1
EOF
printf "q1\tone\nq2\ttwo\n" >t.tsv
run() { "$ASSAY" golden convert "$@" --quiet; }
run a.qrels --topics t.tsv --to assay -o b.yaml
run b.yaml --to kebab -o c.yaml
run c.yaml --to evalvault -o d.json
run d.json --to beir -o e
run e --to assay -o f.json
run f.json --to trec --topics-out u.tsv >g.qrels
cmp a.qrels g.qrels && cmp t.tsv u.tsv && echo same
