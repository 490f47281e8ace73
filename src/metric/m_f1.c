/* SPDX-License-Identifier: Apache-2.0 */
/* f1@k: the harmonic mean of precision and recall at k.
 *
 *     f1@k = 2 P R / (P + R), 0 where both are 0
 */
#include "metric/metric.h"

static void eval_f1(const assay_judged *q, const assay_args *args, double *out)
{
    uint32_t hits = 0;
    uint32_t found = 0;

    for (size_t c = 0; c < args->n; c++) {
        double p, r;

        while (hits < q->n_rel_pos && q->rel_pos[hits] < args->k[c])
            hits++;
        while (found < q->n_found && q->cover_pos[found] < args->k[c])
            found++;
        p = (double)hits / (double)args->k[c];
        r = q->n_relevant ? (double)found / (double)q->n_relevant : 0.0;
        out[c] = p + r > 0.0 ? 2.0 * p * r / (p + r) : 0.0;
    }
}

const assay_metric assay_metric_f1 = {
    .name = "f1",
    .summary = "harmonic mean of precision and recall",
    .formula = "2 P R / (P + R), with P = precision@k and R = recall@k",
    .source = "van Rijsbergen 1979, Information Retrieval",
    .aliases = "F1,f1_at_k",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_REQUIRED,
    .eval = eval_f1,
};
