#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the sample runs: cut documents by headings, rank by BM25, answer with the best sentences.

    python3 samples/make_runs.py            ranks and answers anew, times taken from the old files
    python3 samples/make_runs.py --time     measures the times too

Standard library only.  Everything but the times is the same on every machine.
"""
import hashlib
import json
import math
import re
import sys
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
K1, B = 1.2, 0.75
DEPTH = 10
GATE = {"en": 0.15, "ko": 0.05}     # refuse below this share of the attainable score; bigrams reach less
STOP = set("""a an and are as at be but by can do does for from have how i if in is it its me my no not
of on or so than that the then they this to was what when where which who why will with you
your""".split())
REFUSAL = {"en": "I could not find an answer to this in the documents.",
           "ko": "문서에서 답을 찾을 수 없습니다."}


def words(text):
    return re.findall(r"[^\W_]+", text.lower())


def english(text):
    """Words without stop words and without the s of the plural."""
    return [re.sub(r"(?<=..[^s])s$", "", w) for w in words(text) if w not in STOP]


def bigrams(text):
    """Character bigrams of each word; a word of one character stands for itself."""
    out = []
    for w in words(text):
        out += [w[i:i + 2] for i in range(len(w) - 1)] or [w]
    return out


def blocks(text, deepest):
    """(start, end, headings) of the pieces between headings of level 2..deepest, in characters."""
    start, path, fence, pos = 0, [], False, 0
    for line in text.splitlines(keepends=True):
        fence ^= line.startswith("```")
        head = re.match(r"(#{1,6}) (.*)", line)
        if head and not fence and len(head[1]) <= deepest:
            if len(head[1]) > 1:
                yield start, pos, list(path)
                start = pos
            path[len(head[1]) - 1:] = [head[2]]
        pos += len(line)
    yield start, pos, list(path)


def sections(text):
    """One chunk for each H2 section, its heading included."""
    for start, end, path in blocks(text, 2):
        yield start, end, ""


def paragraphs(text):
    """One chunk for each paragraph, list, table or code block; the headings above are indexed with it."""
    for start, end, path in blocks(text, 3):
        for m in re.finditer(r"```.*?```|\S.*?(?=\n\n|\n```|\s*\Z)", text[start:end], re.S):
            if not re.fullmatch(r"(#{1,6} .*\s*)+", m[0]):
                yield start + m.start(), start + m.end(), " ".join(path)


def load_chunks(folder, cut):
    """Every chunk of every document: id, document, byte span, text, and the text that is indexed."""
    chunks = []
    for path in sorted(folder.rglob("*.md")):
        doc, text = path.relative_to(folder).as_posix(), path.read_bytes().decode()
        for start, end, head in cut(text):
            start += len(text[start:end]) - len(text[start:end].lstrip())
            end = start + len(text[start:end].rstrip())
            body = text[start:end]
            at = len(text[:start].encode())
            digest = hashlib.sha256(f"{doc}\0{body}".encode()).hexdigest()[:6]
            chunks.append({"id": f"{path.stem}#{digest}", "doc": doc, "text": body,
                           "span": [at, at + len(body.encode())], "indexed": f"{head}\n{body}"})
    assert len({c["id"] for c in chunks}) == len(chunks)
    return chunks


class Bm25:
    def __init__(self, chunks, terms):
        self.chunks, self.terms = chunks, terms
        self.tf = [Counter(terms(c["indexed"])) for c in chunks]
        self.len = [sum(tf.values()) for tf in self.tf]
        self.mean_len = sum(self.len) / len(chunks)
        self.df = Counter(t for tf in self.tf for t in tf)

    def idf(self, term):
        n = self.df[term]
        return math.log(1 + (len(self.chunks) - n + 0.5) / (n + 0.5))

    def search(self, query):
        """The best hits, equal scores by id descending."""
        asked = sorted(set(self.terms(query)))
        found = []
        for chunk, tf, size in zip(self.chunks, self.tf, self.len):
            norm = K1 * (1 - B + B * size / self.mean_len)
            score = sum(self.idf(t) * tf[t] * (K1 + 1) / (tf[t] + norm) for t in asked if t in tf)
            if score > 0:
                found.append((round(score, 6), chunk["id"], chunk))
        found.sort(key=lambda f: f[:2], reverse=True)
        return found[:DEPTH]

    def attainable(self, query):
        return sum(self.idf(t) * (K1 + 1) for t in set(self.terms(query)))


def sentences(chunk):
    """(text, byte span) of each line that holds a sentence or a table row."""
    for m in re.finditer(r"[^\n]+", chunk["text"]):
        line = re.match(r"(?:[-*] |\d+\. )?(.*)", m[0])
        if re.match(r"#|```|[| -]*$", m[0]) or not line[1].strip():
            continue
        at = chunk["span"][0] + len(chunk["text"][:m.start() + line.start(1)].encode())
        yield line[1], [at, at + len(line[1].encode())]


def answer(index, query, hits, lang):
    """The two sentences of the first three hits that share most with the question."""
    if not hits or hits[0][0] < GATE[lang] * index.attainable(query):
        return {"answer": REFUSAL[lang], "citations": [], "grounded": False,
                "refusal_reason": "score_gate", "model": "best-sentences"}
    asked = set(index.terms(query))
    rated = []
    for place, (_, _, chunk) in enumerate(hits[:3]):
        for text, span in sentences(chunk):
            own = set(index.terms(text))
            worth = sum(index.idf(t) for t in asked & own) / math.sqrt(4 + len(own))
            rated.append((-round(worth, 6), place, span[0], text, span, chunk))
    rated.sort(key=lambda r: r[:3])
    best = [r for r in rated[:2] if r[0] < 0.6 * rated[0][0]]
    parts, citations = [], []
    for n, (_, _, _, text, span, chunk) in enumerate(best, 1):
        parts.append(f"{text} [{n}]")
        citations.append({"marker": f"[{n}]", "chunk_id": chunk["id"], "doc_id": chunk["doc"],
                          "span": span})
    return {"answer": " ".join(parts), "citations": citations, "grounded": True,
            "refusal_reason": None, "model": "best-sentences"}


def make(out, folder, golden, cut, terms, lang, with_text, missing=(), failed=()):
    """One run.  `missing` questions are left out, `failed` ones are written as time-outs."""
    index = Bm25(load_chunks(HERE / folder, cut), terms)
    out = HERE / out
    times = {}
    if out.exists() and "--time" not in sys.argv:
        times = {r["query_id"]: r["elapsed_ms"] for r in map(json.loads, out.open(encoding="utf-8"))}
    asked = re.findall(r"^  - id: (\S+)\n    query: (.+)$", (HERE / golden).read_text("utf-8"), re.M)
    rows = []
    for qid, query in asked:
        if qid in missing:
            continue
        if qid in failed:
            rows.append({"query_id": qid, "query": query, "hits": [], "answer": None,
                         "elapsed_ms": None, "error": "timed out"})
            continue
        start = time.perf_counter()
        found = index.search(query)
        reply = answer(index, query, found, lang)
        took = round((time.perf_counter() - start) * 1000, 3)
        hits = []
        for rank, (score, _, chunk) in enumerate(found, 1):
            hit = {"rank": rank, "chunk_id": chunk["id"], "doc_id": chunk["doc"], "score": score,
                   "spans": [chunk["span"]]}
            if with_text:
                hit["text"] = chunk["text"]
            hits.append(hit)
        rows.append({"query_id": qid, "query": query, "hits": hits, "answer": reply,
                     "elapsed_ms": times.get(qid, took), "error": None})
    with out.open("w", encoding="utf-8", newline="\n") as f:
        for row in rows:
            f.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{out.name}: {len(rows)} questions, {len(index.chunks)} chunks")


(HERE / "runs").mkdir(exist_ok=True)
make("runs/before.jsonl", "handbook", "handbook.golden.yaml", sections, english, "en", False)
make("runs/after.jsonl", "handbook", "handbook.golden.yaml", paragraphs, english, "en", True,
     missing={"h-22"}, failed={"h-25"})
make("korean.run.jsonl", "korean", "korean.golden.yaml", paragraphs, bigrams, "ko", True)
