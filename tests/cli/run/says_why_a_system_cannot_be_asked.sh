cat > golden.yaml <<'X'
version: 1
queries:
  - {id: q1, query: one, relevant: [{doc: d-q1}]}
X
ask() { "$ASSAY" run --golden golden.yaml --quiet --system "$@"; echo "rc $?"; }
ask cmd:no-such-program
ask 'cmd:no-such-program {query}'
ask 'cmd:'
ask "cmd:sh 'x"
ask 'cmd:sh a.sh | jq .'
ask "cmd:sh -c 'grep {query} x'"
ask "cmd:sh $FIX/systems/odd.sh late_death"
ask file:nowhere.jsonl
ask ftp://me:secret@host/
ask 'cmd:./golden.yaml'
