# Baselines in the store: set, shown, listed, blessed, exported, imported, cleared.
mask() { sed -e 's/run_[0-9a-f]\{32\}/RUN/g' -e 's/20[0-9][0-9]-[0-9-]*[T ][0-9:.]*Z\{0,1\}/TIME/g' -e 's/  *$//' -e 's/---*/-/g'; }
$ASSAY runs import $FIX/gate/before.jsonl -g $FIX/gate/golden.yaml --date 2026-01-02 >/dev/null
$ASSAY runs import $FIX/gate/after.jsonl -g $FIX/gate/golden.yaml --date 2026-01-03 >/dev/null
{
    echo "== none yet"
    $ASSAY baseline list
    $ASSAY baseline show; echo "exit $?"
    echo "== set"
    $ASSAY baseline set latest~1 --note 'the first one'
    $ASSAY baseline set latest --name release-2
    $ASSAY baseline list
    $ASSAY baseline show release-2 --json | grep '"name"\|"note"'
    $ASSAY baseline show nosuch; echo "exit $?"
    echo "== judged"
    $ASSAY gate --max-drop mrr=0.03 --protect q1
    $ASSAY gate --baseline release-2 --max-drop mrr=0 --margin mrr=0 --format github; echo "exit $?"
    $ASSAY gate latest~1 --baseline release-2 --threshold 'mrr>=0.65' --protect all --format github; echo "exit $?"
    $ASSAY gate --plan mrr=0.05
    $ASSAY gate --aa latest~1 latest | sed 's/[0-9.]* %//g'
    echo "== exported"
    $ASSAY baseline export -o main.txt && grep 'name\|date\|note\|run:' main.txt
    $ASSAY gate --baseline main.txt --max-drop mrr=0.03 --protect q2 --format github; echo "exit $?"
    echo "== blessed"
    $ASSAY baseline bless latest -m mrr; echo "exit $?"
    $ASSAY baseline bless latest --yes --note second -m mrr | sed -n 1p
    $ASSAY baseline bless latest --yes --note third
    $ASSAY baseline list
    echo "== imported"
    $ASSAY baseline import main.txt --name old && $ASSAY baseline show old
    sed 's/^run: .*/run: run_0/' main.txt >lost.txt
    $ASSAY baseline import lost.txt; echo "exit $?"
    echo "== cleared"
    $ASSAY baseline clear release-2
    $ASSAY baseline clear release-2; echo "exit $?"
    $ASSAY runs rm latest --yes; echo "exit $?"
} 2>&1 | mask
