# Paths and chunker from assay.yaml, from a folder below it; stored relative to it.
mkdir -p docs work
printf '# One\n' >docs/one.md
printf 'version: 1\ncorpus:\n  paths: [docs]\n  chunker: whole\n' >assay.yaml
cd work
"$ASSAY" ingest --verbose
ls -A
