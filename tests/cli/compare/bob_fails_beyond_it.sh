cd $FIX/compare && $ASSAY compare --conventions bob bob_current.json --baseline bob_baseline.json --tolerance 0.03
