# Every run format, found out by content; a TREC run whose ids are chunks of the golden set is
# one of chunks from then on.
hide="$SRC/tests/cli/runs/hide_ids"
cp $FIX/eval/tied.* $FIX/eval/kebab* $FIX/run/bob/good_scores_only.json .
cp $FIX/run/kebab/good.jsonl kebab.jsonl
cp $FIX/run/stage/good_lines.jsonl stages.jsonl
cp $FIX/run/bob/good.json bob.json
printf 'q-001 Q0 c1 1 2 tag\nq-001 Q0 c9 2 1 tag\n' >chunks.trec
{
    $ASSAY runs import tied.trec -g tied.qrels --date 2026-01-01
    $ASSAY runs import kebab.jsonl stages.jsonl bob.json --date 2026-01-02
    $ASSAY runs import good_scores_only.json --date 2026-01-03
    $ASSAY runs import - --name piped --date 2026-01-04 -g kebab.golden.yaml <kebab_a.jsonl
    $ASSAY runs import chunks.trec --level chunk -g kebab.golden.yaml --date 2026-01-05
    $ASSAY runs show latest --query q-001
    $ASSAY runs list -m mrr,hit@1
} 2>&1 | $hide
echo '# recorded values go through a bundle'
$ASSAY runs export latest~2 >bundle.jsonl
$ASSAY runs import bundle.jsonl --store other.db >/dev/null
$ASSAY runs export latest --store other.db | cmp - bundle.jsonl && echo same
$ASSAY metrics latest --store other.db
