# Sets and runs that say less than they seem to: saturated, circular; levels and exit codes.
. "$FIX/doctor/corpus.sh"
cp "$FIX"/doctor/*.yaml "$FIX"/doctor/*.run .
"$ASSAY" golden doctor easy.golden.yaml --corpus h.db | grep saturated
"$ASSAY" golden doctor spoiled.golden.yaml --corpus h.db --runs labeller.run --runs newcomer.run | grep circular
"$ASSAY" golden doctor easy.golden.yaml --corpus h.db >/dev/null
echo "level error: exit $?"
"$ASSAY" golden doctor easy.golden.yaml --corpus h.db --level warning >/dev/null
echo "level warning: exit $?"
"$ASSAY" golden doctor nothing.golden.yaml --show error
echo "nothing labelled: exit $?"
