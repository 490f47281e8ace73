#!/bin/sh
# What `assay eval` says of the sample runs is what reference/samples/compute.py said
# without it: every metric, mean and query, to 1e-12.
set -u
command -v python3 >/dev/null 2>&1 || { echo 'skipped: python3 is not installed'; exit 77; }
exec python3 "$SRC/tests/reference/samples/compare.py" "$ASSAY" "$SRC"
