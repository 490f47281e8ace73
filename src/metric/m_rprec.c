/* SPDX-License-Identifier: Apache-2.0 */
/* Precision at R, the number of relevant things, and at multiples of R.
 *
 *     Rprec        = relevant things found in the top R / R
 *     Rprec_mult@x = relevant hits in the top K / K, K = floor(x R + 0.9)
 *
 * The 0.9 is trec_eval's: it rounds up nearly everything, and version 10 kept it here
 * while it changed the recall points (m_iprec.c). */
#include "metric/metric.h"

static void eval_Rprec(const assay_judged *q, const assay_args *args, double *out)
{
    uint32_t found = 0;

    (void)args;
    while (found < q->n_found && q->found_pos[found] < q->n_relevant)
        found++;
    out[0] = q->n_relevant ? (double)found / (double)q->n_relevant : 0.0;
}

static void eval_Rprec_mult(const assay_judged *q, const assay_args *args, double *out)
{
    uint32_t seen = 0;

    for (size_t c = 0; c < args->n; c++) {
        double depth = trunc(args->x[c] * (double)q->n_relevant + 0.9);

        while (seen < q->n_rel_pos && (double)q->rel_pos[seen] < depth)
            seen++;
        out[c] = depth >= 1.0 ? (double)seen / depth : 0.0;
    }
}

const assay_metric assay_metric_Rprec = {
    .name = "Rprec",
    .summary = "precision at the number of relevant things",
    .formula = "relevant found in the top R / R, R = relevant in the golden set",
    .source = "Buckley and Voorhees 2005, Retrieval System Evaluation",
    .aliases = "RPrec,rprec",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .eval = eval_Rprec,
};

const assay_metric assay_metric_Rprec_mult = {
    .name = "Rprec_mult",
    .summary = "precision at a multiple of the number of relevant things",
    .formula = "relevant hits in the top K / K, K = floor(x R + 0.9)",
    .source = "trec_eval",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_REAL,
    .eval = eval_Rprec_mult,
};
