#!/usr/bin/env bash
# The metrics table of evalvault's recorded stage reports against `assay stages`, to the last
# printed digit. Runs where ../shared/data/evalvault is; the files stay there.
#
# The reports cut long names ("output.citation_cou…"), so names are compared as far as they go.
set -u
data=$SRC/../shared/data/evalvault/reports
[ -d "$data" ] || { echo 'skipped: no ../shared/data/evalvault'; exit 77; }
passed=0 failed=0

# name count avg min max rate, from the box-drawn table
theirs()
{
    awk -F'│' '/Metric/ { on = 1; next } /Component/ { on = 0 }
        on && NF == 8 { gsub(/ /, ""); sub(/…/, "", $2); print $2, $3, $4, $5, $6, $7 }' "$1"
}

for report in "$data"/*_stage_report.txt; do
    events=${report%_report.txt}_events.jsonl
    for conventions in assay evalvault; do
        "$ASSAY" stages "$events" --quiet --conventions $conventions |
            awk 'NR > 2 { print $1, $2, $3, $4, $5, $6 }' >ours.txt
        theirs "$report" >theirs.txt
        # Their names are beginnings of ours; everything else is the same.
        if paste -d' ' theirs.txt ours.txt | awk '
            NF != 12 || index($7, $1) != 1 { bad = 1 }
            { for (i = 2; i <= 6; i++) if ($i != $(i + 6)) bad = 1 }
            END { exit bad || NR == 0 }'; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$(basename "$report"), conventions $conventions:"
            diff theirs.txt ours.txt
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
