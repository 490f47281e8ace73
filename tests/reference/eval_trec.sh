#!/bin/sh
# `assay eval --conventions trec` and `assay trec_eval` are two ways to the same numbers: the
# means of all measures agree in every digit.  Only runid, a text, is missing from eval.
set -u
dir=$SRC/tests/fixtures/eval
"$ASSAY" trec_eval --full -m all_trec "$dir/tied.qrels" "$dir/tied.trec" |
    awk '$1 != "runid" { print $3 }' >want || exit 1
"$ASSAY" eval "$dir/tied.trec" --golden "$dir/tied.qrels" -m all_trec --conventions trec \
    --format tsv | cut -f 3 >got || exit 1
[ -s got ] || exit 1
diff want got
