printf "version: 1\nqueries:\n  - {id: q-001, query: x}\n" > g.yaml
$ASSAY eval $FIX/eval/kebab_a.jsonl --golden g.yaml -m mrr --quiet
