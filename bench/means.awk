# SPDX-License-Identifier: Apache-2.0
# Reads what the contestants printed (measure, "all", mean) and puts it side by side.

BEGIN {
    n = split("map recip_rank ndcg_cut_10 P_10 recall_1000", measures, " ")
    printf "| %-28s |", "command"
    for (i = 1; i <= n; i++)
        printf " %-11s |", measures[i]
    printf "\n| ---------------------------- |"
    for (i = 1; i <= n; i++)
        printf " ----------: |"
    printf "\n"
}

FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.out$/, "", name)
}

$2 == "all" {
    if (!(name in seen))
        order[++n_names] = name
    seen[name] = 1
    mean[name, $1] = $3
}

END {
    for (k = 1; k <= n_names; k++) {
        printf "| %-28s |", order[k]
        for (i = 1; i <= n; i++)
            printf " %11s |", mean[order[k], measures[i]]
        printf "\n"
    }
}
