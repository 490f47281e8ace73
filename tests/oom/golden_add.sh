# A judgment is added to a file, which is read back.
printf 'version: 1\nqueries:\n  - {id: q, query: a, relevant: [{doc: b}]}\n' >golden.yaml
"$ASSAY" golden add golden.yaml --id q --doc c.md --quote 'd e' --dry-run
