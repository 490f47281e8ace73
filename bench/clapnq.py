#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CLAPNQ's dev set (300 answerable questions, 300 not) as golden sets that bring their documents.

    clapnq.py DATA OUT

DATA has clapnq_dev_answerable.jsonl and clapnq_dev_unanswerable.jsonl.  Written into OUT:

    tune.json, test.json      the questions of one half each, and all 600 passages
    tune.jsonl, test.jsonl    a run in which each question got its own passage

A question is in `test` when the fourth byte of the SHA-256 of its id is odd.  Questions whose
passage answers them are judged by the sentences that the annotators selected (bytes of the
passage), and have their answer; the others should be refused."""
import hashlib
import json
import sys


def spans(text, sentences):
    """Where the sentences stand, each behind the one before if it can, in bytes."""
    at, found = 0, []
    for sentence in sentences:
        start = text.find(sentence, at)
        if start < 0:
            start = text.find(sentence)
        if start < 0:
            return None
        at = start + len(sentence)
        found.append(f"{len(text[:start].encode())}-{len(text[:at].encode())}")
    return found


def read(data, name):
    with open(f"{data}/clapnq_dev_{name}.jsonl", encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def main(data, out):
    half = {"tune": [], "test": []}
    documents, lost = [], 0
    run = {"tune": [], "test": []}
    for name in ("answerable", "unanswerable"):
        for row in read(data, name):
            passage, answer = row["passages"][0], row["output"][0]
            documents.append({"doc": row["id"], "title": passage["title"], "text": passage["text"]})
            query = {"id": row["id"], "query": row["input"]}
            if name == "unanswerable":
                query["should_refuse"] = True
            else:
                where = spans(passage["text"], answer["selected_sentences"])
                lost += where is None
                query["expected_answer"] = answer["answer"]
                query["relevant"] = [{"doc": row["id"], "span": s} for s in where or []] or [
                    {"doc": row["id"]}]
            which = "test" if hashlib.sha256(row["id"].encode()).digest()[3] % 2 else "tune"
            half[which].append(query)
            run[which].append({"query_id": row["id"], "hits": [
                {"doc_id": row["id"], "text": passage["text"],
                 "spans": [[0, len(passage["text"].encode())]]}]})
    for which, queries in half.items():
        with open(f"{out}/{which}.json", "w", encoding="utf-8") as f:
            json.dump({"version": 1, "name": f"clapnq-{which}", "queries": queries,
                       "documents": documents}, f, ensure_ascii=False, indent=1)
        with open(f"{out}/{which}.jsonl", "w", encoding="utf-8") as f:
            for line in run[which]:
                f.write(json.dumps(line, ensure_ascii=False) + "\n")
        refused = sum("should_refuse" in q for q in queries)
        print(f"{which}: {len(queries) - refused} answerable, {refused} to be refused")
    if lost:
        print(f"{lost} questions whose sentences were not found in their passage")


main(*sys.argv[1:])
