hide="$SRC/tests/cli/runs/hide_ids"
golden=$FIX/eval/kebab.golden.yaml
$ASSAY runs import $FIX/eval/kebab_a.jsonl $FIX/eval/kebab_b.jsonl -g $golden --date 2026-01-02 --suite s >/dev/null
echo '# nothing changed'
$ASSAY metrics latest
$ASSAY metrics --all
echo '# another golden set: shown, and not stored'
sed 's/expected_chunk_ids: \[c3\]/expected_chunk_ids: [c9]/' $golden >other.yaml
$ASSAY metrics --all -g other.yaml -m mrr,hit@1 | $hide
$ASSAY runs list | $hide
echo '# stored when that is wanted, and back'
$ASSAY metrics latest -g other.yaml --write -m mrr
$ASSAY runs list -m mrr,hit@1 | $hide
$ASSAY metrics --all | $hide
$ASSAY metrics --all --format csv --dry-run | $hide | head -4
echo '# other rules'
$ASSAY metrics latest --conventions kebab -m hit@3,recall@3 --json | grep -v aggregate_a | $hide
