/* SPDX-License-Identifier: Apache-2.0 */
/* bpref: how often a relevant hit stands above the judged nonrelevant ones.
 *
 *     bpref = 1/R * sum over relevant hits of 1 - min(n, R) / min(N, R)
 *
 * n: judged nonrelevant hits above it, N: judged nonrelevant in the golden set.  Hits that
 * nobody judged are passed over.  A hit with n = 0 counts 1, also where N = 0.
 * gm_bpref is the same, averaged over queries by the geometric mean. */
#include "metric/metric.h"

static void eval_bpref(const assay_judged *q, const assay_args *args, double *out)
{
    uint32_t most = q->n_nonrel < q->n_relevant ? q->n_nonrel : q->n_relevant;
    uint32_t above = 0;
    double sum = 0.0;

    (void)args;
    for (uint32_t i = 0; i < q->n_pool_pos; i++) {
        int32_t grade = q->grade[q->pool_pos[i]];

        if (grade < 0)
            continue;
        if (grade < q->threshold) {
            above++;
        } else if (above) {
            uint32_t n = above < q->n_relevant ? above : q->n_relevant;

            sum += 1.0 - (double)n / (double)most;
        } else {
            sum += 1.0;
        }
    }
    out[0] = q->n_relevant ? sum / (double)q->n_relevant : sum;
}

const assay_metric assay_metric_bpref = {
    .name = "bpref",
    .summary = "relevant hits above judged nonrelevant ones, unjudged ones ignored",
    .formula =
        "1/R * sum over relevant hits of 1 - min(nonrelevant above, R) / min(N, R)",
    .source =
        "Buckley and Voorhees 2004, Retrieval Evaluation with Incomplete Information",
    .aliases = "Bpref,BPref",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .eval = eval_bpref,
};

const assay_metric assay_metric_gm_bpref = {
    .name = "gm_bpref",
    .summary = "bpref, by the geometric mean over queries",
    .formula = "exp(mean of ln(max(bpref, 0.00001)))",
    .source = "trec_eval",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .aggregate = ASSAY_AGG_GEOMETRIC,
    .eval = eval_bpref,
};
