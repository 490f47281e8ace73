#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes plain.qrels, plain.run, diverse.qrels and diverse.run: made-up judgments and
rankings, the same on every machine. No two hits of a query have equal scores."""
import random


def ranking(rng, docs, n):
    chosen = rng.sample(docs, n)
    scores = sorted((rng.uniform(1, 30) for _ in chosen), reverse=True)
    return list(zip(chosen, scores))


def write_run(path, rows):
    with open(path, "w") as f:
        for query, hits in rows:
            for rank, (doc, score) in enumerate(hits, 1):
                f.write(f"{query} Q0 {doc} {rank} {score:.6f} made\n")


def plain():
    rng = random.Random(20240501)
    qrels, run = [], []
    for query in range(1, 13):
        docs = [f"d{i:03}" for i in range(60 + 40 * (query % 3))]
        judged = rng.sample(docs, rng.randint(8, 45))
        grades = [rng.choice([0, 0, 0, 1, 1, 2, 3, 4]) for _ in judged]
        grades[0], grades[1] = 0, rng.randint(1, 4)
        qrels += [(query, 0, d, g) for d, g in sorted(zip(judged, grades))]
        # Shorter and longer than the cutoffs; query 12 is missing from the run.
        if query < 12:
            run.append((query, ranking(rng, docs, 6 if query == 3 else rng.randint(12, 60))))
    return qrels, run


def diverse():
    rng = random.Random(20240502)
    qrels, run = [], []
    for query in range(1, 9):
        docs = [f"d{i:03}" for i in range(50)]
        rows = set()
        for subtopic in range(1, 2 + query % 5):
            for doc in rng.sample(docs, rng.randint(3, 15)):
                rows.add((query, subtopic, doc, rng.choice([0, 1, 1, 2])))
        # A subtopic that nothing is relevant to does not count.
        rows.add((query, 9, rng.choice(docs), 0))
        if query % 5 == 0:
            rows.add((query, 1, "d050", 2))
        qrels += sorted(rows)
        run.append((query, ranking(rng, docs, 5 if query == 2 else rng.randint(20, 50))))
    return qrels, run


for name, make in (("plain", plain), ("diverse", diverse)):
    qrels, run = make()
    with open(f"{name}.qrels", "w") as f:
        for row in qrels:
            f.write("%s %s %s %s\n" % row)
    write_run(f"{name}.run", run)
