#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Expected values of the sample runs, computed straight from the definitions, sharing no code with assay.

    python3 tests/reference/samples/compute.py > tests/reference/samples/expected.json

Needs PyYAML.  Conventions: assay.  The rules that matter are repeated at each function.
"""
import json
import math
from pathlib import Path

import yaml

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
RUNS = [("before", "handbook.golden.yaml", "runs/before.jsonl"),
        ("after", "handbook.golden.yaml", "runs/after.jsonl"),
        ("korean", "korean.golden.yaml", "korean.run.jsonl")]
CUTS = (1, 3, 5, 10)


def labelled(golden):
    """Questions that count: checked, and with at least one judgment.  [] is a refusal or a negative."""
    return [q for q in golden["queries"] if q.get("state") != "draft" and q.get("relevant")]


def ranked(row):
    """Hits by score descending, then chunk id in byte order descending; later duplicates dropped."""
    if row is None or row["error"] is not None:
        return []           # missing from the run, or failed: a miss in every retrieval metric
    hits = sorted(row["hits"], key=lambda h: (h["score"], h["chunk_id"].encode()), reverse=True)
    seen, out = set(), []
    for hit in hits:
        if hit["chunk_id"] not in seen:
            seen.add(hit["chunk_id"])
            out.append(hit)
    return out


def byte_set(doc, spans):
    return {(doc, b) for start, end in spans for b in range(start, end)}


def dcg(pairs, k):
    """pairs of (grade, position from 1)"""
    return sum(grade / math.log2(pos + 1) for grade, pos in pairs if pos <= k)


def first_rank(relevant):
    return next((i for i, yes in enumerate(relevant, 1) if yes), None)


def common(relevant, recall_at, gained, ideal):
    """The metrics that both levels share.  relevant[i]: is the hit at rank i+1 relevant?"""
    rank = first_rank(relevant)
    out = {f"hit@{k}": float(rank is not None and rank <= k) for k in CUTS}
    out["mrr"] = 1 / rank if rank else 0.0
    for k in CUTS:
        out[f"recall@{k}"] = recall_at(k)
    for k in CUTS:
        best = [(grade, pos) for pos, grade in enumerate(sorted(ideal, reverse=True), 1)]
        out[f"ndcg@{k}"] = dcg(gained, k) / dcg(best, k)
    return out


def at_doc(query, hits):
    """E is the set of documents with a judgment of at least 1; an anchor stands for its document, and
    the best grade wins.  k counts hits: a second chunk of a document adds nothing and keeps its rank."""
    grades = {}
    for j in query["relevant"]:
        grades[j["doc"]] = max(grades.get(j["doc"], 0), j.get("grade", 1))
    grades = {d: g for d, g in grades.items() if g >= 1}
    if not grades:
        return None
    first, new = {}, []
    for i, hit in enumerate(hits, 1):
        new.append(hit["doc_id"] in grades and hit["doc_id"] not in first)
        first.setdefault(hit["doc_id"], i)
    gained = [(g, first[d]) for d, g in grades.items() if d in first]
    out = common([h["doc_id"] in grades for h in hits],
                 lambda k: sum(first.get(d, k + 1) <= k for d in grades) / len(grades),
                 gained, grades.values())
    for k in CUTS:
        out[f"precision@{k}"] = sum(new[:k]) / k        # |E and R@k| / k: a document counts once
    return out


def at_evidence(query, hits):
    """The things to find are the anchors with a grade of at least 1.

    A hit finds an anchor when shared bytes / bytes of the shorter one >= 0.5.  An anchor is covered at
    the first rank at which the hits so far together hold at least half of its bytes.  For nDCG the
    covered anchors, by rank and then by grade, highest first, take positions max(rank, last + 1)."""
    anchors = []
    for j in query["relevant"]:
        if "span" in j and j.get("grade", 1) >= 1:
            start, end = map(int, j["span"].split("-"))
            anchors.append((byte_set(j["doc"], [(start, end)]), j.get("grade", 1)))
    if not anchors:
        return None
    parts = [byte_set(h["doc_id"], h["spans"]) for h in hits]
    finds = [any(2 * len(p & a) >= min(len(p), len(a)) for a, _ in anchors) for p in parts]

    covered = []            # (rank, grade)
    for a, grade in anchors:
        so_far = set()
        for rank, p in enumerate(parts, 1):
            so_far |= p & a
            if 2 * len(so_far) >= len(a):
                covered.append((rank, grade))
                break
    gained, last = [], 0
    for rank, grade in sorted(covered, key=lambda c: (c[0], -c[1])):
        last = max(rank, last + 1)
        gained.append((grade, last))

    out = common(finds, lambda k: sum(rank <= k for rank, _ in covered) / len(anchors),
                 gained, [grade for _, grade in anchors])
    for k in CUTS:
        out[f"precision@{k}"] = sum(finds[:k]) / k
    evidence = set().union(*(a for a, _ in anchors))
    for k in CUTS:
        got = set().union(*parts[:k])
        out[f"evidence_recall@{k}"] = len(got & evidence) / len(evidence)
        # nothing retrieved: here only the missing and the failed questions, and those score 0
        out[f"evidence_precision@{k}"] = len(got & evidence) / len(got) if got else 0.0
        out[f"evidence_iou@{k}"] = len(got & evidence) / len(got | evidence)
    return out


def refused(answer):
    return answer["refusal_reason"] is not None


def of_answers(golden, rows):
    """Metrics of the answers, query id -> value.  Case folding is enough here: the texts are in NFC."""
    out = {"groundedness": {}, "refusal_correctness": {}, "over_refusal_rate": {}}
    for q in golden["queries"]:
        row = rows.get(q["id"])
        if row is None or q.get("state") == "draft":
            continue
        if row["error"] is not None or row["answer"] is None:
            continue
        text = row["answer"]["answer"].casefold()
        if q.get("should_refuse"):
            out["refusal_correctness"][q["id"]] = float(refused(row["answer"]))
            continue
        if q["relevant"]:
            out["over_refusal_rate"][q["id"]] = float(refused(row["answer"]))
        if any(key in q for key in ("must_contain", "any_of", "forbidden")):
            good = all(s.casefold() in text for s in q.get("must_contain", []))
            good = good and all(any(s.casefold() in text for s in g) for g in q.get("any_of", []))
            good = good and not any(s.casefold() in text for s in q.get("forbidden", []))
            out["groundedness"][q["id"]] = float(good)
    return out


def mean(values):
    """Means leave out what does not apply; the sum is taken in byte order of the query ids."""
    values = [v for _, v in sorted(values.items(), key=lambda i: i[0].encode()) if v is not None]
    return {"n": len(values), "value": sum(values) / len(values) if values else None}


def measure(golden_file, run_file):
    golden = yaml.safe_load((SAMPLES / golden_file).read_text("utf-8"))
    rows = {r["query_id"]: r
            for r in map(json.loads, (SAMPLES / run_file).read_text("utf-8").splitlines())}
    counted = [q for q in golden["queries"] if q.get("state") != "draft"]
    result = {
        "golden": f"samples/{golden_file}", "run": f"samples/{run_file}",
        "counts": {
            "questions": len(counted),
            "drafts": len(golden["queries"]) - len(counted),
            "labelled": len(labelled(golden)),
            "should_refuse": sum(bool(q.get("should_refuse")) for q in counted),
            "negative": sum(not q["relevant"] and not q.get("should_refuse") for q in counted),
            "missing": [q["id"] for q in counted if q["id"] not in rows],
            "failed": [q["id"] for q in counted if rows.get(q["id"], {}).get("error")],
        },
    }
    for level, take in (("evidence", at_evidence), ("doc", at_doc)):
        per_query = {}
        for q in labelled(golden):
            scores = take(q, ranked(rows.get(q["id"])))
            if scores is not None:
                per_query[q["id"]] = scores
        names = list(next(iter(per_query.values())))
        result[level] = {"mean": {m: mean({q: s[m] for q, s in per_query.items()}) for m in names},
                         "per_query": per_query}
    answers = of_answers(golden, rows)
    result["answers"] = {"mean": {m: mean(v) for m, v in answers.items()}, "per_query": answers}
    return result


print(json.dumps({name: measure(g, r) for name, g, r in RUNS}, indent=1, ensure_ascii=False))
