$ASSAY runs import $FIX/eval/kebab_a.jsonl -g $FIX/eval/kebab.golden.yaml >/dev/null
for date in yesterday 2026-1-1 2026-01-0 2026-01-01T 20260101; do
    $ASSAY runs list --since "$date" 2>&1
    echo $?
done
$ASSAY runs list --since '2020-01-01 12' >/dev/null && echo good
