/* SPDX-License-Identifier: Apache-2.0 */
/* accuracy@k: of all pairs of a relevant and another hit in the top k, the share in which
 * the relevant one stands above.
 *
 *     accuracy = 1 - sum over relevant hits of other hits above it / (relevant * others)
 *
 * Only what was retrieved counts, so it says how well a model orders, not what it finds.
 * Without a pair there is no value.  (ir_measures divides by zero where all hits are
 * relevant.)
 */
#include "metric/metric.h"

static void eval_accuracy(const assay_judged *q, const assay_args *args, double *out)
{
    double n_above = 0; /* other hits above relevant ones, over all of these */
    uint32_t i = 0;

    for (size_t c = 0; c < args->n; c++) {
        uint32_t n = q->n_ranked < args->k[c] ? q->n_ranked : args->k[c];

        for (; i < q->n_rel_pos && q->rel_pos[i] < n; i++)
            n_above += q->rel_pos[i] - i;
        out[c] = i && i < n ? 1 - n_above / ((double)i * (n - i)) : ASSAY_ABSENT;
    }
}

const assay_metric assay_metric_accuracy = {
    .name = "accuracy",
    .summary = "how likely a relevant hit stands above one that is not",
    .formula = "pairs of a relevant and another hit in the right order / all such pairs",
    .source = "ir_measures",
    .aliases = "Accuracy",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_OPTIONAL,
    .eval = eval_accuracy,
};
