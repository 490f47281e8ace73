hide="$SRC/tests/cli/runs/hide_ids"
cp $FIX/eval/kebab* $FIX/eval/slices* $FIX/run/jsonl/bad_cut_off.jsonl .
golden="-g kebab.golden.yaml"
$ASSAY runs import kebab_a.jsonl $golden --date 2026-01-02 --quiet >/dev/null
$ASSAY runs export latest >good.jsonl
try() {
    $ASSAY runs import "$@" --store new.db 2>&1 | $hide
    $ASSAY runs list --store new.db | grep -v created
}
echo '# damaged bundles'
sed '1s/"k":0/"k":-1/' good.jsonl >head.jsonl && try head.jsonl
sed 2d good.jsonl >no_snapshot.jsonl && try no_snapshot.jsonl
sed '5s/c1/c2/' good.jsonl >golden.jsonl && try golden.jsonl
sed '$d' good.jsonl >short.jsonl && try short.jsonl
sed '$s/"hits":\[/"hits":{/' good.jsonl >hits.jsonl && try hits.jsonl
sed '1s/bundle.1/bundle\/9/' good.jsonl >newer.jsonl && try newer.jsonl
head -c 700 good.jsonl >cut.jsonl && try cut.jsonl
echo '# other files'
try missing.jsonl
try bad_cut_off.jsonl $golden
try kebab.golden.yaml $golden
echo '# one bad one among good ones'
$ASSAY runs import cut.jsonl good.jsonl missing.jsonl --store new.db 2>err | $hide
cat err
$ASSAY runs import good.jsonl --date soon 2>&1
$ASSAY runs import kebab_b.jsonl -g slices.golden.yaml --store other.db 2>&1 | $hide
