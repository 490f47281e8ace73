/* SPDX-License-Identifier: Apache-2.0 */
/* Average precision and its relatives.
 *
 *     ap@k   = sum of precision at the rank of each relevant hit in the top k / R
 *     gm_map = ap, but averaged over queries by the geometric mean
 *     yaap   = ln((1 + s) / (1 + R - s)), s = that sum over the whole ranking
 *
 * R counts all relevant things, also with a cutoff.  trec_eval adds up in rank order and
 * divides once at the end; so do we, because means are compared to the last bit. */
#include "metric/metric.h"

/* Add the precision at found things `from` on that stand before `k`. */
static double add_precision(const assay_judged *q, uint32_t *from, uint32_t k, double sum)
{
    uint32_t i = *from;

    for (; i < q->n_found && q->found_pos[i] < k; i++)
        sum += (double)(i + 1) / ((double)q->found_pos[i] + 1.0);
    *from = i;
    return sum;
}

static void eval_ap(const assay_judged *q, const assay_args *args, double *out)
{
    double sum = 0.0;
    uint32_t i = 0;

    for (size_t c = 0; c < args->n; c++) {
        sum = add_precision(q, &i, args->k[c], sum);
        out[c] = i ? sum / (double)q->n_relevant : 0.0;
    }
}

static void eval_gm_map(const assay_judged *q, const assay_args *args, double *out)
{
    static const uint32_t all = ASSAY_NO_CUTOFF;
    const assay_args whole = {.k = &all, .n = 1};

    (void)args;
    eval_ap(q, &whole, out);
}

static void eval_yaap(const assay_judged *q, const assay_args *args, double *out)
{
    uint32_t i = 0;
    double sum = add_precision(q, &i, ASSAY_NO_CUTOFF, 0.0);

    (void)args;
    out[0] = log((1.0 + sum) / (1.0 + (double)q->n_relevant - sum));
}

const assay_metric assay_metric_ap = {
    .name = "ap",
    .summary = "average of the precision at each relevant hit",
    .formula = "sum of precision at the relevant hits in the top k / relevant in the "
               "golden set",
    .source = "Buckley and Voorhees 2005, Retrieval System Evaluation",
    .aliases = "AP,MAP,map,map_cut",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_OPTIONAL,
    .eval = eval_ap,
};

const assay_metric assay_metric_gm_map = {
    .name = "gm_map",
    .summary = "average precision, by the geometric mean over queries",
    .formula = "exp(mean of ln(max(ap, 0.00001)))",
    .source = "Robertson 2006, On GMAP",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .aggregate = ASSAY_AGG_GEOMETRIC,
    .eval = eval_gm_map,
};

const assay_metric assay_metric_yaap = {
    .name = "yaap",
    .summary = "smoothed log odds of average precision",
    .formula = "ln((1 + s) / (1 + R - s)), s = sum of precision at the relevant hits",
    .source = "Robertson 2012, On Smoothing Average Precision",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .eval = eval_yaap,
};
