hide="$SRC/tests/cli/runs/hide_ids"
golden="-g $FIX/eval/kebab.golden.yaml"
$ASSAY runs import $FIX/eval/kebab_a.jsonl $golden --suite nightly --date 2026-01-02T03:04:05 --tag branch=main --commit 0123456789abcdef --quiet >/dev/null
$ASSAY runs import $FIX/eval/kebab_b.jsonl $golden --suite weekly --date 2026-01-03 --tag branch=next -t who=me --name 'bm25(k1=1.2)' >/dev/null
$ASSAY runs import $FIX/eval/slices.run.jsonl -g $FIX/eval/slices.golden.yaml --suite nightly --date 2026-02-01 >/dev/null
echo '# all'
$ASSAY runs list | $hide
echo '# filters'
$ASSAY runs list --suite nightly | $hide
$ASSAY runs list --tag branch | $hide
$ASSAY runs list --tag branch=next --format md | $hide
$ASSAY runs list --method bm25 | $hide
$ASSAY runs list --since 2026-01-03 --before 2026-02 | $hide
$ASSAY runs list --status running
$ASSAY runs list --limit 1 | $hide
echo '# metrics, csv and json'
$ASSAY runs list -m ndcg@3,nothing -m hit@1 --format csv | $hide
$ASSAY runs list --tag who --json | $hide
