$ASSAY eval $FIX/eval/kebab_a.jsonl --golden $FIX/eval/kebab.golden.yaml --conventions kebab --json
$ASSAY eval $FIX/eval/kebab_a.jsonl $FIX/eval/kebab_b.jsonl --golden $FIX/eval/kebab.golden.yaml --conventions kebab --format tsv
