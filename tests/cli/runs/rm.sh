hide="$SRC/tests/cli/runs/hide_ids"
$ASSAY runs import $FIX/eval/kebab_a.jsonl $FIX/eval/kebab_b.jsonl -g $FIX/eval/kebab.golden.yaml --date 2026-01-02 >/dev/null
{
    echo '# nobody to ask'
    $ASSAY runs rm latest
    echo $?
    echo '# one of them is not there: none goes'
    $ASSAY runs rm latest nobody --yes
    echo $?
    $ASSAY runs list --format csv | grep -c ,
    echo '# one, named twice'
    $ASSAY runs rm latest latest~0 --yes
    $ASSAY runs rm latest --yes --json
    $ASSAY runs list
} 2>&1 | $hide
