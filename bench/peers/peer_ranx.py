# SPDX-License-Identifier: Apache-2.0
"""From files to means with ranx, by its own readers: [--cold] QRELS RUN.

ranx compiles itself with Numba at first use and keeps the machine code in a cache.  With
--cold the cache is a new, empty folder: what the first call on a machine costs.  Without it
the cache is the one that earlier calls have filled.

The job is done twice in the process.  The second time, which has nothing left to compile, is
for reading only: it comes out as lines beginning with '#'.  With --once it is left out, so
that the process can be timed from outside.
"""
import os
import shutil
import sys
import tempfile
import time

# ranx's name of each, and trec_eval's, under which all peers print.
MEASURES = {
    "map": "map",
    "mrr": "recip_rank",
    "ndcg@10": "ndcg_cut_10",
    "precision@10": "P_10",
    "recall@1000": "recall_1000",
}

options = [a for a in sys.argv[1:] if a.startswith("--")]
qrels_path, run_path = [a for a in sys.argv[1:] if not a.startswith("--")]

cold_cache = None
if "--cold" in options:
    cold_cache = tempfile.mkdtemp()
    os.environ["NUMBA_CACHE_DIR"] = cold_cache

start = time.perf_counter()
import ranx  # noqa: E402  (Numba reads its settings when it is imported)

imported = time.perf_counter()


def job():
    begin = time.perf_counter()
    qrels = ranx.Qrels.from_file(qrels_path, kind="trec")
    run = ranx.Run.from_file(run_path, kind="trec")
    loaded = time.perf_counter()
    means = ranx.evaluate(qrels, run, list(MEASURES))
    return means, loaded - begin, time.perf_counter() - loaded


try:
    means, load_s, evaluate_s = job()
    for measure, printed in MEASURES.items():
        print(f"{printed}\tall\t{means[measure]:.4f}")
    print(f"# import {imported - start:.3f} s")
    print(f"# first time: load {load_s:.3f} s, evaluate {evaluate_s:.3f} s")
    if "--once" not in options:
        _, load_s, evaluate_s = job()
        print(f"# second time: load {load_s:.3f} s, evaluate {evaluate_s:.3f} s")
finally:
    if cold_cache:
        shutil.rmtree(cold_cache, ignore_errors=True)
