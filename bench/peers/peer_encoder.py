#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The lines of a file through a sentence encoder, by sentence-transformers (torch).

    peer_encoder.py FOLDER TEXTS THREADS
"""
import sys
import time

import torch
from sentence_transformers import SentenceTransformer

torch.set_num_threads(int(sys.argv[3]))
with open(sys.argv[2], encoding="utf-8") as f:
    texts = [line.rstrip("\n") for line in f]
wall, cpu = time.perf_counter(), time.process_time()
model = SentenceTransformer(sys.argv[1], device="cpu")
print(f"open {time.perf_counter() - wall:.9f} {time.process_time() - cpu:.9f}")
wall, cpu = time.perf_counter(), time.process_time()
model.encode(texts, batch_size=32, normalize_embeddings=True)
n = len(texts)
print(f"encode {(time.perf_counter() - wall) / n:.9f} {(time.process_time() - cpu) / n:.9f}")
