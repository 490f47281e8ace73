$ASSAY eval $FIX/eval/vault.run.jsonl --golden $FIX/eval/vault.json --conventions evalvault --json
$ASSAY eval $FIX/eval/vault.run.jsonl --golden $FIX/eval/vault.json --conventions evalvault --empty-relevance zero --json
