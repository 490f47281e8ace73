#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Values of EvalVault's formulas on its own files; see evalvault.py. Skipped without them.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
data=$root/../shared/data/evalvault
if [ ! -d "$data" ] || ! command -v python3 > /dev/null; then
    echo "skipped: no files of EvalVault, or no python3"
    exit 77
fi
exec python3 "$root/tests/reference/evalvault.py" "${ASSAY:-$root/build/assay}" "$data"
