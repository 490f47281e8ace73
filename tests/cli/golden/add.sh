# One judgment by options: to the query of the same text, or as a new query.
cat >golden.yaml <<'END'
# kept
version: 1
queries:
  - id: q-1
    query: Who approves refunds?   # kept too
    relevant:
      - {doc: refunds.md, quote: "the finance lead"}
END
"$ASSAY" golden add golden.yaml --query 'Who approves refunds?' --doc faq.md --lines 3
"$ASSAY" golden add golden.yaml --query 'Says who: "you"?' --doc faq.md --grade 2 \
    --quote 'Ten days' --tag time --tag mail --lang en --notes 'why not' --quiet
"$ASSAY" golden add golden.yaml --id q-9 --query 'Who won?' --should-refuse --quiet
cat golden.yaml
"$ASSAY" golden add golden.yaml --id q-1 --query 'Another?' --doc faq.md
echo "exit $?"
"$ASSAY" golden add golden.yaml --query 'Another?' --doc faq.md --grade often
echo "exit $?"
"$ASSAY" golden add golden.yaml --id q-1 --doc faq.md --lines 3
echo "exit $?"
