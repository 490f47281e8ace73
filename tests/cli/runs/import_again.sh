# The same bytes are told, whatever the name of the file.
hide="$SRC/tests/cli/runs/hide_ids"
cp $FIX/eval/kebab_a.jsonl copy.jsonl
{
    $ASSAY runs import $FIX/eval/kebab_a.jsonl -g $FIX/eval/kebab.golden.yaml --json | sed 's/^.*"format"/"format"/'
    $ASSAY runs import copy.jsonl -g $FIX/eval/kebab.golden.yaml
    $ASSAY runs import copy.jsonl -g $FIX/eval/kebab.golden.yaml --again
    $ASSAY runs list --format csv | grep -c run_
} | $hide
