#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# RRF (k = 60) of two runs of other people: all 51,728 scores equal theirs to the bit.
set -u
data=$SRC/../shared/data/covid-rrf-oracle
[ -d "$data" ] || { echo "skipped: no $data"; exit 77; }

"$ASSAY" fuse "$data/covidex.sim" "$data/covidex.t5" --to trec -o fused.run || exit 1
# Shortest decimals on their side too (Python's repr), so that equal doubles are equal text.
key() { awk '{ print $1, $3, $5 }' "$1" | LC_ALL=C sort; }
key fused.run >ours
key "$data/rrf_verify.txt" >theirs
[ "$(wc -l <ours)" = 51728 ] || { echo "$(wc -l <ours) lines"; exit 1; }
diff theirs ours | head -n 5
cmp -s theirs ours
