cd $FIX/compare && $ASSAY compare kebab_a.jsonl kebab_b.jsonl --golden kebab.golden.yaml --conventions kebab --json --quiet | sed "/\"metrics\": {/,/^    }/d"
