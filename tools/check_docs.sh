#!/bin/sh
# The generated pages are what the program prints today.
set -u
ASSAY=${ASSAY:-${BUILD:-build/release}/assay}
export ASSAY
[ -x "$ASSAY" ] || { echo 'check_docs: no program yet'; exit 0; }
[ -e docs/CLI.md ] || [ -e docs/METRICS.md ] || { echo 'check_docs: no generated pages yet'; exit 0; }
exec tools/gen_docs.sh --check
