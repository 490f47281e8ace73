# Where the golden set is another one the values cannot be compared.
hide="$SRC/tests/cli/runs/hide_ids"
golden=$FIX/eval/kebab.golden.yaml
grep -v c3 $golden >other.yaml
add() { $ASSAY runs import "$@" --again --quiet >/dev/null; }
$ASSAY runs trend mrr
add $FIX/eval/kebab_a.jsonl -g $golden --name bm25 --date 2026-01-01 --commit 1111111111 --suite s
add $FIX/eval/kebab_b.jsonl -g $golden --name bm25 --date 2026-01-02 --commit 2222222222 --suite s
add $FIX/eval/kebab_b.jsonl -g other.yaml --name bm25 --date 2026-01-03 --suite s
add $FIX/eval/kebab_b.jsonl -g other.yaml --name bm25 --date 2026-01-04 --suite s --level doc
add $FIX/eval/kebab_a.jsonl -g $golden --name dense --date 2026-01-02
{
    $ASSAY runs trend RR
    echo '# one suite'
    $ASSAY runs trend recall@3 --suite s --limit 2 --format md
    $ASSAY runs trend hit@1 --format csv
    $ASSAY runs trend mrr --method dense --json
    $ASSAY runs trend ndcg@77
    $ASSAY runs trend nothing
    $ASSAY runs trend P.5,10
} 2>&1 | $hide
