# SPDX-License-Identifier: Apache-2.0
"""From files to means with pytrec_eval, by its own readers: QRELS RUN."""
import sys

import pytrec_eval

MEASURES = ["map", "recip_rank", "ndcg_cut_10", "P_10", "recall_1000"]

qrels_path, run_path = sys.argv[1:3]
with open(qrels_path) as f:
    qrels = pytrec_eval.parse_qrel(f)
with open(run_path) as f:
    run = pytrec_eval.parse_run(f)

values = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES)).evaluate(run)
for measure in MEASURES:
    mean = sum(v[measure] for v in values.values()) / len(values)
    print(f"{measure}\tall\t{mean:.4f}")
