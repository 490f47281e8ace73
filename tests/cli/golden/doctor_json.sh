cp "$FIX/doctor/nothing.golden.yaml" .
"$ASSAY" golden doctor nothing.golden.yaml --json
