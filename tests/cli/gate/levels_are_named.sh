# bob looks for chunks, which the sample's golden set does not name; the two runs can only be held
# against each other by the bytes of the evidence.  Both levels are said.
cd "$SRC/samples" || exit
$ASSAY gate runs/after.jsonl --baseline runs/before.jsonl -g handbook.golden.yaml --conventions bob --max-drop mrr=0.5 2>/dev/null |
    grep -o 'thresholds look at.*\|level evidence'
