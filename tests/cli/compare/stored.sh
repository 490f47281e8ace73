# Runs in the store: by name, with the golden set and the snapshot that belong to each.
mask() { sed -e 's/run_[0-9a-f]\{32\}/RUN/g' -e 's/20[0-9-]*T[0-9:.]*Z/TIME/g' -e 's/  *$//' -e 's/--*/-/g'; }
cp -r $SRC/samples/handbook $SRC/samples/handbook.golden.yaml .
$ASSAY ingest handbook --corpus one --quiet >/dev/null || exit 1
$ASSAY ingest handbook --corpus two --chunker 'sentence(target=60)' --quiet >/dev/null || exit 1
# 1 says that some query missed.
$ASSAY run -g handbook.golden.yaml --corpus one --method bm25 --quiet >/dev/null
$ASSAY run -g handbook.golden.yaml --corpus two --method bm25 --tag chunker=sentence --quiet >/dev/null
$ASSAY run -g handbook.golden.yaml --corpus one --method bm25 --only h-01,h-02,h-29 --quiet >/dev/null
echo "== another chunker"
$ASSAY compare latest~2 chunker=sentence -m mrr,recall@5 | mask
echo "== a regression in the report: what came instead is named by its document"
$ASSAY compare latest~2 latest~1 -m mrr --format md | sed -n '/^## Regressions/,/^## Wins/p' | mask
echo "== the same again, of a part"
$ASSAY compare latest~2 latest -m mrr | mask
echo "== exported"
$ASSAY runs export latest~2 -o a.bundle --quiet && $ASSAY runs export latest~1 -o b.bundle --quiet
$ASSAY compare latest~2 latest~1 --json | mask | grep -v '"run_[ab]"\|sentence"' >stored.json
$ASSAY compare a.bundle b.bundle --json | mask | grep -v '"run_[ab]"\|sentence"' >exported.json
cmp stored.json exported.json && echo same
echo "== refused"
$ASSAY compare latest~2 latest~1 --strict-chunker-version
echo "exit $?"
$ASSAY compare latest latest 2>&1 | mask
$ASSAY compare latest~7 latest
echo "exit $?"
echo "== against a baseline"
$ASSAY baseline set latest~2 --name main --note 'before the cut' --quiet >/dev/null
$ASSAY compare latest~1 --baseline main -m mrr | mask | sed -n '3,4p'
