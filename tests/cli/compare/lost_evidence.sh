# A document that goes, and one that is rewritten, take the evidence of their queries along: those
# are left out for that reason, not because somebody judged otherwise.
mkdir old new
echo 'Cats sleep by day and hunt at night.' >old/cats.md
echo 'Dogs bark at strangers who come near.' >old/dogs.md
echo 'Fish breathe water through their gills.' >old/fish.md
cp old/dogs.md new && echo 'Nothing of the kind is said here any more at all.' >new/fish.md
cat >golden.yaml <<'END'
version: 1
queries:
  - {id: q1, query: when do cats hunt, relevant: [{doc: cats.md, quote: hunt at night}]}
  - {id: q2, query: whom do dogs bark at, relevant: [{doc: dogs.md, quote: bark at strangers}]}
  - {id: q3, query: how do fish breathe, relevant: [{doc: fish.md, quote: breathe water through their gills}]}
END
for c in old new; do
    $ASSAY ingest $c --corpus $c --quiet >/dev/null
    $ASSAY run -g golden.yaml --corpus $c --metric mrr --quiet >/dev/null
done
$ASSAY compare latest~1 latest -m mrr | sed -n '/^left out/,/^$/p'
$ASSAY baseline set latest~1 >/dev/null
$ASSAY gate latest --protect all | grep '^left out'
$ASSAY gate latest --protect q1 >/dev/null; echo "exit $?"
