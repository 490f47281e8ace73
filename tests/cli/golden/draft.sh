# A starter set from the headings: drafts with anchors that stand in the corpus, spread over
# the documents, in Korean where the heading is; none counts.
. "$SRC/tests/cli/golden/corpus.inc"
printf '# 환불\n\n## 승인 절차\n\n모든 환불은 재무 책임자가 사흘 안에 승인한다.\n' >docs/refunds-ko.md
"$ASSAY" ingest docs --quiet >/dev/null
"$ASSAY" golden draft
"$ASSAY" golden draft -n 2 -o golden.yaml
"$ASSAY" golden check golden.yaml --corpus main | grep -E 'draft|judgments'
sed -i '1i # mine' golden.yaml
"$ASSAY" golden draft -n 1 -o golden.yaml
head -1 golden.yaml
grep -c 'state: draft' golden.yaml
"$ASSAY" golden draft -o golden.yaml
"$ASSAY" golden draft -o golden.yaml
echo "exit $?"
