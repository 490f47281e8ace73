#!/usr/bin/env bash
# A file of 1 GB without a single line break goes in and comes out as it was. Takes a minute and
# 2 GB of disk, so it runs only when it is asked for: ASSAY_BIG=1 make check T=big_file
set -u
[ -n "${ASSAY_BIG-}" ] || { echo 'skipped: ASSAY_BIG=1 reads a file of 1 GB'; exit 77; }
mkdir docs || exit
yes 'the quick brown fox jumps over it. 그리고 ' | tr -d '\n' | head -c 1073741824 >docs/big.txt
"$ASSAY" ingest docs || exit
"$ASSAY" corpus text big.txt --raw | cmp - docs/big.txt || exit
"$ASSAY" corpus stats | grep -E 'bytes in a chunk +(99\.|100)' || exit
