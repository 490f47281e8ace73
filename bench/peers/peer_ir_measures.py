# SPDX-License-Identifier: Apache-2.0
"""From files to means with ir_measures, by its own readers: QRELS RUN."""
import sys

import ir_measures

# ir_measures' name of each, and trec_eval's, under which all peers print.
MEASURES = {
    "AP": "map",
    "RR": "recip_rank",
    "nDCG@10": "ndcg_cut_10",
    "P@10": "P_10",
    "R@1000": "recall_1000",
}

qrels_path, run_path = sys.argv[1:3]
means = ir_measures.calc_aggregate(
    [ir_measures.parse_measure(m) for m in MEASURES],
    ir_measures.read_trec_qrels(qrels_path),
    ir_measures.read_trec_run(run_path),
)
means = {str(measure): mean for measure, mean in means.items()}
for measure, printed in MEASURES.items():
    print(f"{printed}\tall\t{means[measure]:.4f}")
