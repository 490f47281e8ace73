#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that golden sets, documents and runs of this folder fit together.

    python3 samples/check_samples.py            prints what is wrong, exit 1 if anything is
    python3 samples/check_samples.py --fix      first writes the spans anew, after an edit of a document

Needs PyYAML.
"""
import json
import re
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
SETS = [("handbook.golden.yaml", "handbook", ["runs/before.jsonl", "runs/after.jsonl"]),
        ("korean.golden.yaml", "korean", ["korean.run.jsonl"])]
JUDGMENT = re.compile(r'(- \{doc: ([^,]+), quote: ("(?:[^"\\]|\\.)*"), span: )[^,}]+')
problems = []


def claim(truth, what):
    if not truth:
        problems.append(what)


def fix(golden, docs):
    """Write each quote's span beside it."""
    def span(m):
        quote = yaml.safe_load(m[3]).encode()
        at = docs[m[2]].find(quote)
        return f"{m[1]}{at}-{at + len(quote)}"
    text = golden.read_bytes().decode()
    golden.write_bytes(JUDGMENT.sub(span, text).encode())


def check_golden(name, golden, docs):
    queries = golden["queries"]
    ids = [q["id"] for q in queries]
    claim(len(set(ids)) == len(ids), f"{name}: ids are not unique")
    claim(len({q["query"] for q in queries}) == len(ids), f"{name}: a question stands twice")
    groups = {}
    for q in queries:
        where = f"{name}: {q['id']}"
        if q.get("should_refuse"):
            claim(q["relevant"] == [], f"{where}: should be refused, but has judgments")
        if "group" in q:
            groups.setdefault(q["group"], []).append({j["doc"] for j in q["relevant"]})
        for j in q["relevant"]:
            claim(j["doc"] in docs, f"{where}: no document {j['doc']}")
            claim(j.get("grade", 1) in (0, 1, 2), f"{where}: grade {j.get('grade')}")
            if "quote" in j and j["doc"] in docs:
                quote, text = j["quote"].encode(), docs[j["doc"]]
                claim(text.count(quote) == 1, f"{where}: {text.count(quote)} times: {j['quote']}")
                at = text.find(quote)
                claim(j["span"] == f"{at}-{at + len(quote)}", f"{where}: span of: {j['quote']}")
    for group, sets in groups.items():
        claim(len(sets) > 1, f"{name}: group {group} has one member")
        claim(all(s == sets[0] for s in sets), f"{name}: group {group} has different documents")


def check_span(where, docs, doc, span, text=None):
    a, b = span
    claim(doc in docs and 0 <= a < b <= len(docs[doc]), f"{where}: span {span} is outside {doc}")
    try:
        got = docs[doc][a:b].decode()
        claim(text is None or got == text, f"{where}: text is not that of {span} in {doc}")
    except UnicodeDecodeError:
        problems.append(f"{where}: span {span} cuts a character of {doc}")


def check_run(name, golden, docs):
    asked = {q["id"]: q["query"] for q in golden["queries"]}
    seen, chunks = set(), {}
    for line in (HERE / name).read_bytes().decode().splitlines():
        row = json.loads(line)
        where = f"{name}: {row['query_id']}"
        claim(row["query_id"] not in seen, f"{where}: stands twice")
        seen.add(row["query_id"])
        claim(asked.get(row["query_id"]) == row["query"], f"{where}: not the golden set's question")
        order = [(-h["score"], [-b for b in h["chunk_id"].encode()]) for h in row["hits"]]
        claim(order == sorted(order), f"{where}: hits are out of order")
        claim([h["rank"] for h in row["hits"]] == list(range(1, len(order) + 1)), f"{where}: ranks")
        claim(len({h["chunk_id"] for h in row["hits"]}) == len(order), f"{where}: a hit twice")
        for h in row["hits"]:
            known = chunks.setdefault(h["chunk_id"], (h["doc_id"], h["spans"]))
            claim(known == (h["doc_id"], h["spans"]), f"{where}: {h['chunk_id']} is two chunks")
            check_span(where, docs, h["doc_id"], h["spans"][0], h.get("text"))
        if row["error"] is not None:
            claim(not row["hits"] and row["answer"] is None, f"{where}: failed, yet has results")
            continue
        answer = row["answer"]
        claim(answer["grounded"] == bool(answer["citations"]), f"{where}: grounded and citations")
        claim(answer["grounded"] == (answer["refusal_reason"] is None), f"{where}: refusal")
        for c in answer["citations"]:
            doc, spans = chunks[c["chunk_id"]]
            claim(doc == c["doc_id"], f"{where}: citation of another document")
            check_span(where, docs, doc, c["span"])
            claim(spans[0][0] <= c["span"][0] and c["span"][1] <= spans[0][1],
                  f"{where}: citation outside its chunk")
            said = docs[doc][slice(*c["span"])].decode()
            claim(f"{said} {c['marker']}" in answer["answer"], f"{where}: citation of other words")


for golden_name, folder, runs in SETS:
    documents = {p.relative_to(HERE / folder).as_posix(): p.read_bytes()
                 for p in (HERE / folder).rglob("*.md")}
    if "--fix" in sys.argv:
        fix(HERE / golden_name, documents)
    loaded = yaml.safe_load((HERE / golden_name).read_text("utf-8"))
    check_golden(golden_name, loaded, documents)
    for run in runs:
        check_run(run, loaded, documents)
    print(f"{golden_name}: {len(documents)} documents, {len(loaded['queries'])} questions, "
          f"{sum(len(q['relevant']) for q in loaded['queries'])} judgments, {len(runs)} runs")
print("\n".join(problems) or "all good")
sys.exit(bool(problems))
