for i in 1 2 3 4 5 6 7; do
    $ASSAY runs import $FIX/eval/kebab_a.jsonl $FIX/eval/slices.run.jsonl -g $FIX/eval/kebab.golden.yaml --again --quiet >/dev/null
done
$ASSAY metrics --all --golden $FIX/eval/kebab.golden.yaml --json --jobs 1 >1
$ASSAY metrics --all --golden $FIX/eval/kebab.golden.yaml --json --jobs 5 >5
cmp 1 5 && grep -c run_id 5
