# Without --runs the stored runs of the set are learnt from; runs of other sets are not.
mkdir docs
for word in apple banana cherry; do printf '# %s\n\nThe %s is a fruit.\n' $word $word >docs/$word.md; done
"$ASSAY" ingest docs --corpus main --quiet >/dev/null
cat >golden.yaml <<END
version: 1
queries:
  - {id: q-1, query: apple, relevant: [{doc: apple.md}]}
  - {id: q-2, query: banana, relevant: [{doc: zebra.md}, {doc: cherry.md}]}
END
sed 's/q-/other-/' golden.yaml >other.yaml
for set in golden golden golden other; do
    "$ASSAY" run --golden $set.yaml --corpus main --method bm25 -k 1 --quiet >/dev/null 2>&1
done
"$ASSAY" golden doctor golden.yaml --corpus main --quiet | grep 'found\]'
"$ASSAY" golden doctor other.yaml --corpus main --quiet --json | grep '"runs"'
"$ASSAY" golden doctor golden.yaml --corpus main --runs nosuch
