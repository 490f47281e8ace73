# A beginning that two runs have names both; what nobody has says so.
hide="$SRC/tests/cli/runs/hide_ids"
$ASSAY runs import $FIX/eval/kebab_a.jsonl $FIX/eval/kebab_b.jsonl -g $FIX/eval/kebab.golden.yaml --date 2026-01-02 >/dev/null
$ASSAY runs show run_ 2>&1 | $hide
$ASSAY runs export nobody 2>&1
$ASSAY metrics latest~7 2>&1
$ASSAY runs tag x=y a=b 2>&1
$ASSAY runs show latest~1 | sed -n 's/^method *//p'
id=$($ASSAY runs list --format csv | sed -n '2s/,.*//p')
$ASSAY runs show "${id%???}" | sed -n 's/^method *//p'
