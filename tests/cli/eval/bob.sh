cd $FIX/eval && $ASSAY eval bob.run.jsonl --golden bob.golden.jsonl --conventions bob --quiet
