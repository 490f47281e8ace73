# What goes out of one store and into another comes out of that one the same, byte for byte.
hide="$SRC/tests/cli/runs/hide_ids"
cp $FIX/run/jsonl/good_full.jsonl full.jsonl
$ASSAY runs import full.jsonl $FIX/eval/kebab_b.jsonl -g $FIX/eval/kebab.golden.yaml --suite nightly --date 2026-01-02 -t a=b >/dev/null 2>&1
for run in latest latest~1; do
    $ASSAY runs export $run -o $run.jsonl
    $ASSAY runs import $run.jsonl --store other.db | $hide
    id=$(sed -n '1s/.*"run_id":"\([^"]*\)".*/\1/p' $run.jsonl)
    $ASSAY runs export $id --store other.db | cmp - $run.jsonl && echo same
done
echo '# without times: the same for another run that found the same'
$ASSAY runs import $FIX/eval/kebab_b.jsonl -g $FIX/eval/kebab.golden.yaml --suite nightly --date 2026-03-04 -t a=b --again --quiet >/dev/null
$ASSAY runs export latest --no-times >1
$ASSAY runs export latest~1 --no-times >2
cmp 1 2 && echo same
grep -c -e run_ -e _at -e elapsed 1
echo '# packed, into the store it came from, and once more'
$ASSAY runs export latest -o packed.jsonl.gz
$ASSAY runs import packed.jsonl.gz | $hide
$ASSAY runs import packed.jsonl.gz --again --tag copy=1 --suite again | $hide
$ASSAY runs list --suite again | $hide
