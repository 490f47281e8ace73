# SPDX-License-Identifier: Apache-2.0
"""bm25s on bench/bm25.sh's data: bm25_bm25s.py FOLDER N_THREADS [ROUNDS]"""
import sys
import time

import bm25s


def main():
    folder, n_threads = sys.argv[1], int(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    passages = open(folder + "/passages.txt", encoding="utf-8").read().splitlines()
    queries = open(folder + "/queries.txt", encoding="utf-8").read().splitlines()

    start, cpu = time.perf_counter(), time.process_time()
    tokens = bm25s.tokenize(passages, stopwords=None, stemmer=None, show_progress=False)
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75, backend="numba")
    index.index(tokens, show_progress=False)
    print("build %.3f" % (time.perf_counter() - start))
    print("build_cpu %.3f" % (time.process_time() - cpu))

    for k in (10, 1000):
        wall, used = 1e9, 1e9
        index.retrieve(
            bm25s.tokenize(queries[:10], stopwords=None, show_progress=False),
            k=k, show_progress=False, n_threads=n_threads)  # compiles
        for _ in range(rounds):
            start, cpu = time.perf_counter(), time.process_time()
            asked = bm25s.tokenize(queries, stopwords=None, show_progress=False)
            _, scores = index.retrieve(asked, k=k, show_progress=False,
                                       n_threads=n_threads)
            wall = min(wall, time.perf_counter() - start)
            used = min(used, time.process_time() - cpu)
        print("k%d %.1f" % (k, len(queries) / wall))
        print("k%d_cpu %.1f" % (k, len(queries) / used))
        print("sum%d %.6f" % (k, float(scores[:, 0].sum())))


main()
