# Nobody answered, so groundedness has n = 0: a rule on it fails.
cd $FIX/gate && $ASSAY gate after.jsonl -g golden.yaml --threshold 'groundedness>=0' --format github
