#!/usr/bin/env bash
# 'assay golden create' through a real pseudo-terminal of 80x24: a set of five questions is
# built on the samples by keys; the file is valid, reads well in a diff, and is measured at
# once. Also: a smaller terminal, going on later, lines instead of a screen, signals.
set -u
passed=0 failed=0
flags=
case $BUILD in
*asan) flags=-fsanitize=address,undefined ;;
esac
# shellcheck disable=SC2086
${CC:-cc} -std=c11 $flags -o pty_drive "$SRC/tests/tools/pty_drive.c" || exit 1
assay=$SRC/$BUILD/assay
"$assay" ingest "$SRC/samples/handbook" "$SRC/samples/korean" --quiet >/dev/null || exit 1
export TERM=xterm
unset NO_COLOR

# check WHAT: the command before it said yes.
check()
{
    if [ $? -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not so: $1"
    fi
}

# drive ARG...: the script on standard input, typed into assay golden create ARG...
drive()
{
    ./pty_drive "$assay" golden create "$@"
}

drive golden.yaml --corpus main <<'END'
size 24 80
see question:
row 1  golden.yaml: 0 checked, 0 drafts
# A slip is repaired before the question is sent.
keys What is the denominaTOR\d\d\dtor of precision?\r
see q-1  What is the denominator of precision?
row 3 draft
see > 1 [ ] metrics/recall-and-precision.md  Recall and precision > precision@k
fits
# The very sentence is the evidence.
keys s
see sentence 1 of
keys \e[B\e[B
see sentence 3 of
see > The denominator is k even when fewer hits came back.
keys 2
see > 1 [2] metrics/recall-and-precision.md
see hit 1: relevant
keys m
see must contain:
keys denominator is k\r
see must contain: denominator is k
keys tprecision, edge\r
see tags: precision, edge
row 3 draft  tags: precision, edge  must contain: denominator is k
keys f
see question:
row 1  golden.yaml: 1 checked, 0 drafts
# Korean: characters of two columns, one of them taken back.
keys 재현율은 무엇인가요나\d?\r
see q-2  재현율은 무엇인가요?
see metrics.md  검색 지표 > 재현율과 정밀도
fits
keys 2
see [2]
keys \r
see question:
# Nothing answers it.
keys Who is the king of France?\rf
see nothing is marked relevant
keys r
see draft  should refuse
keys 2
see it should be refused
keys f
see 3 checked
# Marks, taken away and taken back.
keys How are ties between equal scores broken?\r
see q-4
keys 1
see > 1 [1]
keys j
see > 2 [ ]
keys 0
see > 2 [0]
keys x
see > 2 [ ]
keys u
see > 2 [0]
keys ?
see any key: back
keys q
see > 2 [0]
keys f
see 4 checked
keys \e[200~Which exit code\nmeans no?\e[201~\r
see q-5  Which exit code means no?
keys 2k
see [2]
# Left as a draft.
keys q
end 0
END
check 'five questions were built by keys'
"$assay" golden check golden.yaml --corpus main >checked 2>&1
check 'the file is valid'
grep -q 'resolved  *[1-9]' checked && ! grep -q 'lost  *[1-9]' checked
check 'every quote stands in the corpus'
[ "$(grep -c '^  - id: ' golden.yaml)" = 5 ] && [ "$(grep -c 'state: draft' golden.yaml)" = 1 ]
check 'it has five questions, one of them a draft'
head -n 9 golden.yaml | diff - <(
    cat <<'END'
version: 1
queries:
  - id: q-1
    query: What is the denominator of precision?
    tags: [precision, edge]
    relevant:
      - {doc: metrics/recall-and-precision.md, quote: The denominator is k even when fewer hits came back., grade: 2}
    must_contain: [denominator is k]
  - id: q-2
END
)
check 'it reads well'
grep -A2 'king of France' golden.yaml | grep -q 'should_refuse: true'
check 'one should be refused'

# Going on later: the draft that is left is there, and is finished; bytes of others stay.
cp golden.yaml before.yaml
sed -i '1i # written by hand' golden.yaml
drive golden.yaml --corpus main <<'END'
size 24 80
see 4 checked, 1 draft
keys \r
see q-5  Which exit code means no?
see [2]
# A small terminal shows the same, cut.
size 12 40
see q-5  Which exit code means no?
row 12 2 1 0 x mark
fits
keys f
see 5 checked
keys \e
end 0
END
check 'it goes on where it was left, on a small terminal too'
diff <(sed '/state: draft/d' before.yaml; ) <(sed 1d golden.yaml)
check 'only the draft was changed'
"$assay" run --golden golden.yaml --corpus main --method bm25 --quiet >run.out 2>&1
check 'it is measured at once'
"$assay" golden create golden.yaml --corpus main </dev/null >out 2>&1
[ $? -eq 2 ] && grep -q -- '--plain' out
check 'without a terminal it says what to do'

# A list is walked, and what is checked already is not asked again.
printf 'What is the denominator of precision?\n\nHow is a draft marked?\n' >queries.txt
drive golden.yaml --corpus main --from queries.txt <<'END'
see q-6  How is a draft marked?
keys 2f
end 0
END
check 'a list is walked'
"$assay" golden draft -n 2 -o drafts.yaml --quiet && drive new.yaml --corpus main --from drafts.yaml <<'END'
see q-1
see > 1 [1]
keys f
see q-2
see > 1 [1]
keys n
end 0
END
check 'drafts are walked with their anchors'
[ "$(grep -c 'state: draft' new.yaml)" = 1 ] && [ "$(grep -c quote: new.yaml)" = 2 ]
check 'what was not finished stays a draft'

# A signal gives the terminal back and ends the program; nothing is lost.
drive signal.yaml --corpus main <<'END'
see question:
keys What is nDCG?\r
see q-1
keys 2
see > 1 [2]
signal 15
end -15
END
check 'a signal ends it'
grep -q 'grade: 2' signal.yaml
check 'and nothing is lost'

# Lines instead of a screen.
TERM=dumb drive dumb.yaml --corpus main --method bm25 -k 2 <<'END'
see question (empty
keys What is nDCG?\r
see >
keys 1=2\r
see hit 1: relevant
keys done\r
see question (empty
keys quit\r
end 0
END
check 'a dumb terminal gets lines'
grep -q 'grade: 2' dumb.yaml && ! grep -q draft dumb.yaml
check 'which do the same'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
