# By lines: hits and sentences are marked, strings and tags set, everything is in the file at
# once, taken back, and gone on with; what others wrote stays.
. "$SRC/tests/cli/golden/corpus.inc"
cat >golden.yaml <<'END'
# mine
version: 1
queries:
  - {id: q-1, query: One, relevant: [{doc: faq.md}]}  # stays
END
create() { "$ASSAY" golden create golden.yaml --corpus main --method bm25 --plain "$@"; echo "exit $?"; }
create <<'END'
Who signs large refunds?
help
3
3.2=2
3.4=1
9=2
nonsense
tags money, limits
must second signature | 500
undo
done
How is the customer told?
1=2
1.1=1
1=x
2=0
2=2
next
quit
END
cat golden.yaml
echo '== the draft that is left'
printf '\nundo\n2=x\nundo\ndone\nundo\nquit\n' | create
grep -c draft golden.yaml
echo '== nothing is left of a question that is taken back'
printf 'A new one\nundo\nundo\nquit\n' | create >/dev/null
grep -c 'A new one' golden.yaml
echo '== a list'
printf 'Who signs large refunds?\nWho is king?\n' >queries.txt
printf 'done\nrefuse\n1=2\ndone\n' | create --from queries.txt
tail -n 4 golden.yaml
