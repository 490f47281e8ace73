#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Agreement with trec_eval 9.0.8 and 10.0, to the last bit, on recorded outputs that are not
# part of this repository; skipped where they are not at hand.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
assay=${ASSAY:-$root/build/assay}
data=$root/../shared/data
if [ ! -d "$data/trec_eval" ] || ! command -v python3 > /dev/null; then
    echo "skipped: no recorded outputs of trec_eval, or no python3"
    exit 77
fi

good=0 bad=0
note()
{
    if [ "$1" = 0 ]; then good=$((good + 1)); else bad=$((bad + 1)); echo "failed: $2"; fi
}

for version in 9 10; do
    python3 "$data/trec_eval/verify.py" "$assay trec_eval --compat $version" "v$version" \
        --p17 "$assay trec_eval --full --compat $version"
    note $? "recorded outputs of version $version"
done
for run in bm25 bm25+electra-mp; do
    "$assay" trec_eval --compat 9 -c -q -l2 -m all_trec "$data/dl-hard-runs/dl_hard-doc.qrels" \
        "$data/dl-hard-runs/$run.run" | cmp - "$data/dl-hard-runs/$run.run.eval"
    note $? "DL-Hard, $run"
done
echo "$good passed, $bad failed"
[ "$bad" = 0 ]
