cd $FIX/compare && $ASSAY compare vault_baseline.json vault_candidate.json --test student-unpaired
