{
    $ASSAY runs import $FIX/eval/kebab_b.jsonl -g $FIX/eval/kebab.golden.yaml --date 2026-01-02 >/dev/null
    $ASSAY runs export latest --as jsonl
    $ASSAY runs export latest --as kebab --no-times
    $ASSAY runs export latest --as trec --no-times -o run.trec
    cat run.trec
    $ASSAY runs export latest --as trec --no-times --strict -o strict.trec
    echo $?
    ls
    $ASSAY runs import $FIX/run/bob/good_scores_only.json --date 2026-01-03 >/dev/null 2>&1
    $ASSAY runs export latest --as jsonl
    $ASSAY runs export latest | sed -n 3p
} 2>&1 | "$SRC/tests/cli/runs/hide_ids"
