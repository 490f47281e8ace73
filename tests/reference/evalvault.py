#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Values that EvalVault's formulas give on its own files, at six decimals.

Its keyword fallback and its BM25 (Okapi, k1 1.5, b 0.75, epsilon 0.25, words of letters and digits) are
written out here in a few lines to make the runs; assay measures them under its conventions.

    evalvault.py ASSAY FOLDER
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

# file, method, k: precision, recall, mrr, ndcg
WANTED = [
    ("examples/benchmarks/korean_rag/retrieval_test.json", "keyword", 1, (0.6, 0.6, 0.6, 0.6)),
    ("examples/benchmarks/korean_rag/retrieval_test.json", "keyword", 3, (0.222222, 0.666667, 0.633333, 0.642062)),
    ("examples/benchmarks/korean_rag/retrieval_test.json", "keyword", 5, (0.16, 0.8, 0.663333, 0.696564)),
    ("examples/benchmarks/korean_rag/retrieval_test.json", "keyword", 10, (0.1, 1.0, 0.691376, 0.762602)),
    ("tests/fixtures/benchmark/retrieval_ground_truth_min.json", "bm25", 5, (0.333333, 1.0, 1.0, 1.0)),
    ("tests/fixtures/benchmark/retrieval_ground_truth_multi.json", "bm25", 5, (0.4, 1.0, 1.0, 0.898468)),
    ("tests/fixtures/benchmark/retrieval_ground_truth_multi.json", "keyword", 3, (0.5, 0.75, 1.0, 0.766434)),
]


def keyword(query, texts):
    words = set(query.lower().split())
    scores = [len(words & set(text.lower().split())) for text in texts]
    return sorted(range(len(texts)), key=lambda i: (-scores[i], i))


def bm25(query, texts):
    docs = [re.findall("[A-Za-z0-9]+", text.lower()) or [""] for text in texts]
    mean = sum(map(len, docs)) / len(docs)
    terms = {word for doc in docs for word in doc}
    df = {word: sum(word in doc for doc in docs) for word in terms}
    idf = {word: math.log(len(docs) - n + 0.5) - math.log(n + 0.5) for word, n in df.items()}
    average = sum(idf.values()) / len(idf)
    idf = {word: value if value >= 0 else 0.25 * average for word, value in idf.items()}
    scores = []
    for doc in docs:
        norm = 1.5 * (1 - 0.75 + 0.75 * len(doc) / mean)
        scores.append(sum(idf.get(word, 0) * doc.count(word) * 2.5 / (doc.count(word) + norm)
                          for word in re.findall("[A-Za-z0-9]+", query.lower())))
    # Equal scores came out from the last document to the first in every recorded trace.
    return sorted(range(len(texts)), key=lambda i: (-scores[i], -i))


def run_of(path, method, k):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    ids = [doc["doc_id"] for doc in data["documents"]]
    texts = [doc["content"] for doc in data["documents"]]
    for case in data["test_cases"]:
        order = {"keyword": keyword, "bm25": bm25}[method](case["query"], texts)[:k]
        yield {"query_id": case["test_id"], "hits": [{"doc_id": ids[i]} for i in order]}


def measure(assay, golden, run, k):
    names = [f"precision@{k}", f"recall@{k}", f"mrr@{k}", f"ndcg@{k}"]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in run)
        file.flush()
        done = subprocess.run([assay, "eval", file.name, "--golden", golden, "-m", ",".join(names), "--conventions",
                               "evalvault", "--format", "tsv", "--quiet"], capture_output=True, text=True, check=True)
    return [float(line.split("\t")[2]) for line in done.stdout.splitlines()]


def main():
    assay, folder = sys.argv[1:]
    good = bad = 0
    for name, method, k, wanted in WANTED:
        path = os.path.join(folder, name)
        got = measure(assay, path, run_of(path, method, k), k)
        if len(got) == 4 and all(abs(a - b) < 1e-6 for a, b in zip(got, wanted)):
            good += 1
        else:
            bad += 1
            print(f"{name}, {method}, k {k}: {got}, wanted {wanted}")
    print(f"{good} passed, {bad} failed")
    sys.exit(bad > 0)


main()
