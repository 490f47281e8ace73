#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""faiss IndexFlatIP on the vectors of `dense make`: name, tab, seconds, as dense.c prints.

    peer_faiss.py BASE QUERIES K THREADS
"""
import sys
import time

import faiss
import numpy as np

base, queries = np.load(sys.argv[1]), np.load(sys.argv[2])
k, threads = int(sys.argv[3]), int(sys.argv[4])
faiss.omp_set_num_threads(threads)
start = time.perf_counter()
index = faiss.IndexFlatIP(base.shape[1])
index.add(base)
print(f"build\t{time.perf_counter() - start:.6f}")
single = min(100, len(queries))
start = time.perf_counter()
for i in range(single):
    index.search(queries[i : i + 1], k)
print(f"single\t{(time.perf_counter() - start) / single:.6f}")
start = time.perf_counter()
_, rows = index.search(queries, k)
print(f"batch\t{(time.perf_counter() - start) / len(queries):.6f}")
total = 0
for row in rows.ravel().tolist():
    total = (total * 31 + row) % 2**64
print(f"rows\t{total}")
