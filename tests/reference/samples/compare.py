#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare assay's values of the sample runs with expected.json.  compare.py ASSAY SRC"""
import json
import subprocess
import sys

assay, src = sys.argv[1:]
expected = json.load(open(f"{src}/tests/reference/samples/expected.json", encoding="utf-8"))
faults = []
compared = 0


def near(where, got, want):
    global compared
    compared += 1
    if got is None or want is None:
        if got is not want:
            faults.append(f"{where}: {got}, want {want}")
    elif abs(got - want) > 1e-12:
        faults.append(f"{where}: {got!r}, want {want!r}")


def run(case, level, measures):
    command = [assay, "eval", f"{src}/{case['run']}", "--golden", f"{src}/{case['golden']}",
               "-m", ",".join(measures), "--level", level, "-q", "--json", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["runs"][0]


for name, case in expected.items():
    for part, level in (("evidence", "evidence"), ("doc", "doc"), ("answers", "evidence")):
        want = case[part]
        got = run(case, level, want["mean"])
        for metric, mean in want["mean"].items():
            where = f"{name} {part} {metric}"
            near(where, got["measures"][metric]["value"], mean["value"])
            near(where + " n", got["measures"][metric]["n"], mean["n"])
        rows = {row["query_id"]: row["scores"] for row in got["queries"]}
        for query in rows:
            for metric in want["mean"]:
                if part == "answers":
                    value = want["per_query"][metric].get(query)
                else:
                    value = want["per_query"].get(query, {}).get(metric)
                near(f"{name} {part} {metric} {query}", rows[query][metric], value)
    counts = case["counts"]
    for mine, theirs in (("total_queries", "questions"), ("drafts", "drafts"),
                         ("labelled", "labelled"), ("should_refuse", "should_refuse"),
                         ("negative", "negative")):
        near(f"{name} {mine}", got["counts"][mine], counts[theirs])
    if got["missing"] != counts["missing"] or got["failed"] != counts["failed"]:
        faults.append(f"{name}: missing {got['missing']}, failed {got['failed']}")

for fault in faults[:20]:
    print(fault)
print(f"{compared} values compared, {len(faults)} differ")
sys.exit(1 if faults else 0)
