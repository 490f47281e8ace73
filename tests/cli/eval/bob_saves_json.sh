out=$PWD/r.json; cd $FIX/eval && $ASSAY eval bob.run.jsonl --golden bob.golden.jsonl --conventions bob --quiet --timestamp 2026-01-02T03:04:05 -o $out && cat $out
