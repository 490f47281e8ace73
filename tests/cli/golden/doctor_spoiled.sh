# What people see, with why and how once for each kind.
. "$FIX/doctor/corpus.sh"
cp "$FIX/doctor/spoiled.golden.yaml" .
"$ASSAY" golden doctor spoiled.golden.yaml --corpus h.db --show warning --most 2
