# SPDX-License-Identifier: Apache-2.0
# Reads measure's summary and lays the targets beside what was measured.
# Given: run_bytes and lines of the run, json_bytes of the same run as JSONL.

function verdict(value, must, aim, more_is_better) {
    if (more_is_better) {
        value = -value
        must = -must
        aim = -aim
    }
    return value > must ? "MISSED" : value <= aim && aim != must ? "aim met" : "met"
}

function row(what, value, unit, must, aim, more_is_better) {
    printf "| %-45s | %10.2f %-6s | %6s | %6s | %-7s |\n", what, value, unit, must, \
        aim == must ? "" : aim, verdict(value, must, aim, more_is_better)
}

# Bytes a line on top of the run file, which is counted because it is mapped.  Below zero for
# a program that reads the file piece by piece.
function per_line(name) {
    return (peak_kb[name] * 1024 - run_bytes) / lines
}

$1 == "time" {
    median[$2] = $3
    peak_kb[$2] = $6
}

$1 == "ratio" { ratio[$2] = $4 }

END {
    printf "| %-45s | %-17s | %6s | %6s | %-7s |\n", "what", "measured", "must", "aim", ""
    print "| --------------------------------------------- | ----------------: |" \
        " -----: | -----: | ------- |"
    # The targets are for two cores.
    name = "2 threads"
    if (("sorted, " name) in ratio)
        row("sorted / wc, " name, ratio["sorted, " name], "x", 6, 4)
    if (("shuffled, " name) in ratio)
        row("shuffled / sorted, " name, ratio["shuffled, " name], "x", 3, 3)
    if (("sorted, " name) in peak_kb)
        row("peak memory less the run, sorted, " name, per_line("sorted, " name), \
            "B/line", 32, 32)
    if (("shuffled, " name) in peak_kb)
        row("peak memory less the run, shuffled, " name, per_line("shuffled, " name), \
            "B/line", 32, 32)
    if ("jsonl" in median)
        row("JSONL read and measured", json_bytes / 1e3 / median["jsonl"], "MB/s", 300, 300, 1)
    if ("small" in median)
        row("50 queries, start to end", median["small"], "ms", 5, 5)
}
