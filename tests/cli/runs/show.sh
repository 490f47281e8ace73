hide="$SRC/tests/cli/runs/hide_ids"
$ASSAY runs import $FIX/eval/slices.run.jsonl -g $FIX/eval/slices.golden.yaml --suite nightly --date 2026-02-01 -t a=b --k 10 >/dev/null
$ASSAY runs show latest | $hide
echo '# queries'
$ASSAY runs show a=b --query s-1 --query s-2 --hits 1 | $hide
echo '# json'
$ASSAY runs show latest --query s-3 --json | $hide | grep -v -e '"snapshot"' -e '"aggregate"'
$ASSAY runs show latest --query nobody 2>&1 | $hide
$ASSAY runs show run_ffff
