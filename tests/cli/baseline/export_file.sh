# The fixture is what a run file gives, with the note that it has.
cd $FIX/gate && $ASSAY baseline export before.jsonl -g golden.yaml --note 'by hand' | diff baseline.txt - && echo same
