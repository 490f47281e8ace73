# The golden set of the run judges no query as the baseline's did.
cd $FIX/gate && $ASSAY gate after.jsonl -g other.yaml --baseline baseline.txt --margin mrr --protect all
