# Lines of "program threads name value" to a table for each number of threads, with ratios to
# assay: how many times longer the others take.
{
    if (!($1 in seen)) { seen[$1] = ++n; program[n] = $1 }
    if (!($2 in at)) { at[$2] = ++m; threads[m] = $2 }
    value[$1, $2, $3] = $4
}
function cell(p, t, name, is_time,    v, own)
{
    if (!((p, t, name) in value)) return "               -"
    v = value[p, t, name]
    own = value["assay", t, name]
    if (!own || !v) return sprintf("%16.2f", v)
    return sprintf("%8.2f %6.2fx", v, is_time ? v / own : own / v)
}
END {
    for (j = 1; j <= m; j++) {
        t = threads[j]
        printf "\n%s thread%s; behind each value how many times longer than assay:\n\n", t, t == 1 ? "" : "s"
        print "| program | build s | build cpu s | k=10 q/s | k=10 q/cpu s | k=1000 q/s | k=1000 q/cpu s |"
        print "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
        for (i = 1; i <= n; i++) {
            p = program[i]
            printf "| %s | %s | %s | %s | %s | %s | %s |\n", p, cell(p, t, "build", 1), cell(p, t, "build_cpu", 1), \
                cell(p, t, "k10", 0), cell(p, t, "k10_cpu", 0), cell(p, t, "k1000", 0), cell(p, t, "k1000_cpu", 0)
        }
    }
    print "\nSums of the best scores of all queries, which should agree but for rounding and tantivy's own formula:\n"
    for (i = 1; i <= n; i++)
        printf "- %s: %s\n", program[i], value[program[i], threads[1], "sum10"]
}
