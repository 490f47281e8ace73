hide="$SRC/tests/cli/runs/hide_ids"
$ASSAY runs import $FIX/eval/kebab_a.jsonl --date 2026-01-02 --quiet >/dev/null
$ASSAY runs import $FIX/run/bob/good_scores_only.json --date 2026-01-03 --quiet >/dev/null
$ASSAY runs import $FIX/eval/kebab_b.jsonl -g $FIX/eval/kebab.golden.yaml --date 2026-01-04 >/dev/null
{
    echo '# no golden set'
    $ASSAY metrics latest~2
    echo $?
    echo '# only recorded'
    $ASSAY metrics latest~1
    echo $?
    echo '# one fails, the others are measured'
    $ASSAY metrics --all
    echo $?
    $ASSAY metrics
    $ASSAY metrics --all latest
    $ASSAY metrics latest -m nonsense
    echo $?
    $ASSAY metrics latest --corpus main
    $ASSAY metrics latest --level evidence
    echo $?
    $ASSAY metrics latest~2 -g $FIX/eval/kebab.golden.yaml --write | tail -1
    $ASSAY runs show latest~2 | grep mrr
} 2>&1 | $hide
