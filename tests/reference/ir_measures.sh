#!/usr/bin/env bash
# Compares `assay eval` with what ir_measures gave: tests/reference/ir_measures/README.md.
set -u
cd "$(dirname "$0")/ir_measures" || exit 1
assay=${ASSAY:-../../../build/assay}

# One line for each query and measure: query, measure, value. This is the only place that
# knows how assay prints them.
measure()
{
    "$assay" eval "$1.run" --golden "$1.qrels" -m "$2" -q --format tsv --quiet |
        awk -F '\t' 'NF == 4 { print $2 "\t" $4 }'
}

bad=0
while IFS=$'\t' read -r fixture ours; do
    awk -F '\t' -v fixture="$fixture" -v ours="$ours" '
        NR == FNR { have[$1] = $2; next }
        $1 != fixture || $4 != ours { next }
        {
            n++
            difference = have[$2] - $5
            if (!($2 in have) || difference > $6 || difference < -$6) {
                printf "%s, query %s: %s is %s, ir_measures has %s\n", fixture, $2, ours,
                    ($2 in have) ? have[$2] : "missing", $5
                bad = 1
            }
        }
        END { exit bad || !n }' <(measure "$fixture" "$ours") expected.tsv || bad=1
done < <(cut -f 1,4 expected.tsv | sort -u)
exit $bad
