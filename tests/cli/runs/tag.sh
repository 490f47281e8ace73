hide="$SRC/tests/cli/runs/hide_ids"
$ASSAY runs import $FIX/eval/kebab_a.jsonl -g $FIX/eval/kebab.golden.yaml --date 2026-01-02 -t old=1 >/dev/null
{
    $ASSAY runs tag latest branch=main 'why=a=b c'
    $ASSAY runs tag branch=main branch=next --remove old
    $ASSAY runs tag latest --remove branch --remove why --json | grep tags
    $ASSAY runs tag latest
    $ASSAY runs tag latest novalue
    $ASSAY runs tag latest key=
    $ASSAY runs tag latest a=b --remove gone
    $ASSAY runs tag latest --remove x
    $ASSAY runs list --format csv | grep -c a=b
    $ASSAY runs import $FIX/eval/kebab_b.jsonl -t a=1 -t a=2
} 2>&1 | $hide
