#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""faiss IndexFlatIP on the vectors of `vectors_bench make`; prints as vectors_bench does.

    peer_faiss.py BASE QUERIES K THREADS
"""
import sys
import time

import faiss
import numpy as np

base, queries = np.load(sys.argv[1]), np.load(sys.argv[2])
k, threads = int(sys.argv[3]), int(sys.argv[4])
faiss.omp_set_num_threads(threads)
wall = cpu = 0.0


def start():
    global wall, cpu
    wall, cpu = time.perf_counter(), time.process_time()


def report(name, n):
    print(f"{name} {(time.perf_counter() - wall) / n:.9f} {(time.process_time() - cpu) / n:.9f}")


start()
index = faiss.IndexFlatIP(base.shape[1])
index.add(base)
report("build", 1)
single = min(100, len(queries))
start()
for i in range(single):
    index.search(queries[i : i + 1], k)
report("single", single)
start()
_, rows = index.search(queries, k)
report("batch", len(queries))
total = 0
for row in rows.ravel().tolist():
    total = (total * 31 + row) % 2**64
print("rows", total, 0)
