#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks ir_measures for every query of the fixtures and writes expected.tsv:

    fixture  query  measure (ir_measures)  measure (assay)  value  tolerance

README.md has the versions and says where the two measures differ in name or number."""
import warnings

warnings.simplefilter("ignore")

import ir_measures
from ir_measures import providers

EXACT = 1e-9
PRINTED = 6e-6  # gdeval prints five decimals

# Measure, provider (None = as ir_measures chooses), what assay calls it (None = the same),
# factor on the value, tolerance.
PLAIN = [(m, None, None, 1, EXACT) for m in """
    AP AP@10 AP(rel=2) AP(judged_only=True) nDCG nDCG@10 nDCG(judged_only=True)@5
    nDCG(gains={1:0,2:3,4:9})@10 P@5 P@10 P(rel=3)@5 P(judged_only=True)@10 R@10 R@20
    Success@1 Success@5 Rprec Rprec(rel=2) Bpref infAP SetP SetP(relative=True) SetR
    SetF SetF(beta=2.0) SetAP NumRet NumRelRet NumRet(rel=2)
    RR RR(rel=3) RR@10 RR@3 Judged@5 Judged@10 Judged Accuracy Accuracy@10 Accuracy(rel=2)
    RBP(rel=1) RBP(rel=2,p=0.5) Compat Compat(p=0.8) Compat(p=0.9,normalize=False)
    BPM(max_rel=4)@10 BPM(T=2.0,max_rel=4)@20 BPM(T=0.5,min_rel=1,max_rel=3)@5
    SDCG(max_rel=4)@10 SDCG(max_rel=2,min_rel=1)@20
    NERR8(max_rel=4)@10 NERR8(min_rel=1,max_rel=3)@5 NERR9(max_rel=4)@10
    NERR10(max_rel=4) NERR10(p=0.5,max_rel=3) NERR11(max_rel=4) NERR11(T=2.5,max_rel=4)
    INST(max_rel=4) INST(T=3.0,max_rel=4) INST(T=0.5,min_rel=1,max_rel=2)
    INSQ(max_rel=4) INSQ(T=3.0,max_rel=4)""".split()]
PLAIN += [
    ("ERR@5", "gdeval", "err(max_grade=4)@5", 1, PRINTED),
    ("ERR@20", "gdeval", "err(max_grade=4)@20", 1, PRINTED),
    ("nDCG(dcg='exp-log2')@10", "gdeval", None, 1, PRINTED),
    # trectools takes grades as gains; assay divides them by the highest, which is 4.
    ("RBP", "trectools", None, 1 / 4, EXACT),
    ("RBP(p=0.5)@10", "trectools", None, 1 / 4, EXACT),
]
DIVERSE = [(m, None, None, 1, EXACT) for m in """
    alpha_nDCG@1 alpha_nDCG@5 alpha_nDCG@10 alpha_nDCG@20 alpha_nDCG(alpha=0.8)@10
    alpha_nDCG(rel=2)@10 alpha_DCG@2 alpha_DCG@5 alpha_DCG@20 alpha_DCG(alpha=0.2)@10
    ERR_IA@2 ERR_IA@10 ERR_IA@20 ERR_IA(rel=2)@10 nERR_IA@1 nERR_IA@10 nERR_IA@20
    NRBP NRBP(alpha=0.8,beta=0.3) NRBP(rel=2) nNRBP nNRBP(alpha=0.8,beta=0.3)
    P_IA@1 P_IA@10 P_IA(rel=2)@10 AP_IA AP_IA(rel=2) StRecall@1 StRecall@5 StRecall@20
    StRecall(rel=2)@10""".split()]


def values(measure, provider, qrels, run):
    source = ir_measures if provider is None else providers.registry[provider]
    for metric in source.iter_calc([ir_measures.parse_measure(measure)], qrels, run):
        yield metric.query_id, metric.value


with open("expected.tsv", "w") as out:
    for name, rows in (("plain", PLAIN), ("diverse", DIVERSE)):
        qrels = list(ir_measures.read_trec_qrels(f"{name}.qrels"))
        run = list(ir_measures.read_trec_run(f"{name}.run"))
        for theirs, provider, ours, factor, tolerance in rows:
            found = sorted(values(theirs, provider, qrels, run), key=lambda v: int(v[0]))
            for query, value in found:
                out.write(f"{name}\t{query}\t{theirs}\t{ours or theirs}\t"
                          f"{float(value) * factor!r}\t{tolerance}\n")
