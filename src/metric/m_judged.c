/* SPDX-License-Identifier: Apache-2.0 */
/* judged@k: how much of what was retrieved somebody has looked at.
 *
 *     judged@k = hits in the top k that are in the pool / hits in the top k
 *
 * The denominator is the number of hits where fewer than k came back, 0 / 0 is 0.  A
 * further chunk of a document seen above counts on neither side.
 */
#include "metric/metric.h"

static void eval_judged(const assay_judged *q, const assay_args *args, double *out)
{
    uint32_t n_judged = 0;
    uint32_t n_hits = 0;
    uint32_t pos = 0;

    for (size_t c = 0; c < args->n; c++) {
        for (; pos < q->n_ranked && pos < args->k[c]; pos++) {
            n_judged += q->grade[pos] >= ASSAY_POOLED;
            n_hits += q->grade[pos] != ASSAY_REPEATED;
        }
        out[c] = n_hits ? (double)n_judged / n_hits : 0.0;
    }
}

const assay_metric assay_metric_judged = {
    .name = "judged",
    .summary = "share of the hits that the golden set has a judgment for",
    .formula = "judged hits in the top k / hits in the top k",
    .source = "ir_measures",
    .aliases = "Judged",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_OPTIONAL,
    .eval = eval_judged,
};
