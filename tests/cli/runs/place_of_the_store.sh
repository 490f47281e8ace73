# --store, else assay.yaml's (seen from that file), else $ASSAY_STORE, else the workspace's.
add() { $ASSAY runs import $FIX/eval/kebab_a.jsonl -g $FIX/eval/kebab.golden.yaml --again --quiet "$@" >/dev/null; }
mkdir -p project/sub
add && ls .assay
ASSAY_STORE=$PWD/env.db add && ls
printf 'version: 1\nstore: kept/runs.db\n' >project/assay.yaml
(cd project/sub && ASSAY_STORE=$PWD/none.db add && cd .. && ls . sub kept)
(cd project && add --store here.db && ls)
$ASSAY runs list --store ''
