# The scale of the weights changes nothing under rrf: both settings give one ranking.
sweep() { "$ASSAY" sweep --golden "$FIX/benchmark/harbour.json" --vary 'weights=0.5:0.5,1:1' --metric mrr --quiet "$@"; }
sweep | tr -s ' -' | sed -E 's/run_[0-9a-f]{16}/RUN/; s/[0-9]+\.[0-9]{2} ([0-9]+)( \*)? RUN/MS \1 RUN/'
# Again: everything is there already.
sweep --json | grep -c '"run_id"'
"$ASSAY" runs list --suite sweep --format csv | wc -l
