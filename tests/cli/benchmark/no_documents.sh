printf 'version: 1\nqueries:\n  - {id: q, query: x, relevant: [{doc: d}]}\n' > g.yaml
"$ASSAY" benchmark retrieval g.yaml
