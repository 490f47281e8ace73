"$ASSAY" baseline export "$FIX/gate/before.jsonl" --golden "$FIX/gate/golden.yaml" --threads 1
