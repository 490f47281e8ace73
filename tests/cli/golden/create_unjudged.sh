# Only hits that nobody judged are asked about, those first that move the metric most, until
# the verdict cannot flip: of one run its bounds, of two the sign of their difference.
. "$SRC/tests/cli/golden/corpus.inc"
cat >golden.yaml <<'END'
version: 1
queries:
  # kept
  - id: q-1
    query: Who approves refunds?
    relevant:
      - {doc: refunds.md, quote: approved by the finance lead}
  - id: q-2
    query: How long does it take?
    relevant:
      - {doc: faq.md}
  - id: q-3
    query: Who wins?
    should_refuse: true
END
approval=$(id refunds.md 2) limits=$(id refunds.md 3) faq=$(id faq.md 1)
cat >a.run <<END
q-1 Q0 $limits 1 9 a
q-1 Q0 $approval 2 8 a
q-2 Q0 $approval 1 9 a
q-2 Q0 $faq 2 8 a
q-3 Q0 $faq 1 9 a
END
cat >b.run <<END
q-1 Q0 $approval 1 9 b
q-2 Q0 $faq 1 9 b
q-2 Q0 $limits 2 8 b
q-3 Q0 $approval 1 9 b
END
create() { "$ASSAY" golden create golden.yaml --method bm25 --plain --unjudged "$@"; echo "exit $?"; }
cp golden.yaml kept.yaml
echo '== one run: mrr is 1/2 and 1/2, or more'
printf '1=0\n1=2\n' | create --from-run a.run --metric mrr@5
diff kept.yaml golden.yaml
cp kept.yaml golden.yaml
echo '== two runs: b has the better mrr; each question can still be a draw'
printf '1=0\n' | create --from-run a.run --from-run b.run --metric mrr@5
diff kept.yaml golden.yaml
echo '== nothing to ask'
create --from-run b.run --metric hit@1 </dev/null
echo '== wrong'
create --from-run a.run --metric ndcg@10 </dev/null
"$ASSAY" golden create golden.yaml --plain --from-run a.run
"$ASSAY" golden create golden.yaml --plain --unjudged
TERM=xterm "$ASSAY" golden create golden.yaml </dev/null
