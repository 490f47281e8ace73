#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A product of matrices by the BLAS of numpy (OpenBLAS), on one thread.

    peer_numpy.py M N K
"""
import os
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402

m, n, k = map(int, sys.argv[1:4])
a = np.random.default_rng(1).random((m, k), dtype=np.float32)
b = np.random.default_rng(2).random((n, k), dtype=np.float32)
c = a @ b.T
wall, cpu = time.perf_counter(), time.process_time()
for _ in range(50):
    np.matmul(a, b.T, out=c)
print(f"gemm {(time.perf_counter() - wall) / 50:.9f} {(time.process_time() - cpu) / 50:.9f}")
