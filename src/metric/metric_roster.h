/* SPDX-License-Identifier: Apache-2.0 */
/* Every metric, in the order help and reports show them. */
#ifndef ASSAY_METRIC_METRIC_ROSTER_H
#define ASSAY_METRIC_METRIC_ROSTER_H

/* Not aligned, so that a longer name does not touch every line. */
/* clang-format off */
#define ASSAY_METRIC_ROSTER(X) \
    X(hit) \
    X(mrr) \
    X(recall) \
    X(precision) \
    X(ndcg) \
    X(ap) \
    X(f1) \
    X(evidence_recall) \
    X(evidence_precision) \
    X(evidence_iou) \
    X(evidence_cost) \
    X(groundedness) \
    X(citation_coverage) \
    X(citation_precision) \
    X(citation_recall) \
    X(answer_em) \
    X(answer_f1) \
    X(refusal_correctness) \
    X(over_refusal_rate) \
    X(empty_result_rate) \
    X(latency_p50) \
    X(latency_p95) \
    X(latency_p99) \
    X(latency_max) \
    X(prompt_tokens) \
    X(completion_tokens) \
    X(cost) \
    X(total_cost) \
    X(Rprec) \
    X(bpref) \
    X(infAP) \
    X(iprec_at_recall) \
    X(err) \
    X(rbp) \
    X(judged) \
    X(accuracy) \
    X(set_P) \
    X(set_recall) \
    X(set_F) \
    X(set_map) \
    X(set_relative_P) \
    X(compat) \
    X(sdcg) \
    X(bpm) \
    X(nerr8) \
    X(nerr9) \
    X(nerr10) \
    X(nerr11) \
    X(inst) \
    X(insq) \
    X(alpha_dcg) \
    X(alpha_ndcg) \
    X(err_ia) \
    X(nerr_ia) \
    X(nrbp) \
    X(nnrbp) \
    X(precision_ia) \
    X(ap_ia) \
    X(strecall) \
    X(num_q) \
    X(num_ret) \
    X(num_rel) \
    X(num_rel_ret) \
    X(num_nonrel_judged_ret) \
    X(relative_P) \
    X(dcg) \
    X(ideal_dcg) \
    X(ndcg_rel) \
    X(Rndcg) \
    X(G) \
    X(binG) \
    X(11pt_avg) \
    X(Rprec_mult) \
    X(gm_map) \
    X(gm_bpref) \
    X(yaap) \
    X(utility) \
    X(unj) \
    X(trec_rbp) \
    X(rbp_resid) \
    X(prefs_simp) \
    X(prefs_pair) \
    X(prefs_avgjg) \
    X(prefs_avgjg_Rnonrel) \
    X(prefs_simp_ret) \
    X(prefs_pair_ret) \
    X(prefs_avgjg_ret) \
    X(prefs_avgjg_Rnonrel_ret) \
    X(prefs_simp_imp) \
    X(prefs_pair_imp) \
    X(prefs_avgjg_imp) \
    X(prefs_num_prefs_poss) \
    X(prefs_num_prefs_ful) \
    X(prefs_num_prefs_ful_ret) \
    X(map_avgjg) \
    X(P_avgjg) \
    X(Rprec_mult_avgjg)
/* clang-format on */

#endif
