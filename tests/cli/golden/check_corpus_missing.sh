# A corpus that is not there: exit 2, and what to do.
printf 'version: 1\nqueries: [{id: a, query: b, relevant: [{doc: c}]}]\n' >golden.yaml
"$ASSAY" golden check golden.yaml --corpus nowhere
