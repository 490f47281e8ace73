# Judgment by judgment: what is found, what moved, what is stale.
. "$SRC/tests/cli/golden/corpus.inc"
cat >golden.yaml <<'END'
version: 1
queries:
  - id: found
    query: Who approves refunds?
    relevant:
      - {doc: refunds.md, quote: "approved by the finance lead"}
      - {doc: refunds.md, heading: "Refunds > Approval"}
      - {doc: refunds.md, lines: 9}
      - {doc: faq.md}
  - id: moved
    query: Who signs?
    relevant:
      - {doc: refunds.md, quote: "a second signature", span: 3-21}
      - {doc: refunds.md, quote: "A  SECOND signa­ture"}
  - id: twice
    query: How is the customer told?
    relevant:
      - {doc: refunds.md, quote: "The customer is told by mail."}
      - {doc: refunds.md, quote: "The customer is told by mail.", lines: 10}
  - id: gone
    query: What about vouchers?
    relevant:
      - {doc: refunds.md, quote: "Vouchers are refunded by the shop that sold them"}
      - {doc: policies/refunds.md, quote: "approved"}
      - {chunk: 00112233445566778899aabbccddeeff}
      - {doc: refunds.md, heading: Vouchers}
  - id: draft
    query: Is it true?
    state: draft
    relevant: [{doc: nowhere.md}]
END
"$ASSAY" golden check golden.yaml --corpus main
echo "exit $?"
"$ASSAY" golden check golden.yaml --corpus main --strict --quiet | tail -1
"$ASSAY" golden check golden.yaml --corpus main --json --quiet |
    sed -n '/findings/,/resolution/p; /"twice"/p'
"$ASSAY" golden check golden.yaml --corpus main --verbose --quiet | grep -c resolved
