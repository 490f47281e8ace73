/* SPDX-License-Identifier: Apache-2.0 */
/* precision@k and relative_P@k: the share of the first k hits that is relevant.
 *
 *     precision@k  = relevant hits in the top k / k
 *     relative_P@k = relevant hits in the top k / min(k, R)
 *
 * The denominator is k even when fewer hits came back: the rest counts as not relevant.
 * relative_P divides by what a perfect ranking would reach. */
#include "metric/metric.h"

/* Relevant hits in the top k, given that `seen` of them are in a smaller top. */
static uint32_t count_to(const assay_judged *q, uint32_t seen, uint32_t k)
{
    while (seen < q->n_rel_pos && q->rel_pos[seen] < k)
        seen++;
    return seen;
}

static void eval_precision(const assay_judged *q, const assay_args *args, double *out)
{
    uint32_t seen = 0;

    for (size_t c = 0; c < args->n; c++) {
        seen = count_to(q, seen, args->k[c]);
        out[c] = (double)seen / (double)args->k[c];
    }
}

static void eval_relative(const assay_judged *q, const assay_args *args, double *out)
{
    uint32_t seen = 0;

    for (size_t c = 0; c < args->n; c++) {
        uint32_t most = args->k[c] < q->n_relevant ? args->k[c] : q->n_relevant;

        seen = count_to(q, seen, args->k[c]);
        out[c] = most ? (double)seen / (double)most : 0.0;
    }
}

const assay_metric assay_metric_precision = {
    .name = "precision",
    .summary = "share of the first k hits that is relevant",
    .formula = "relevant hits in the top k / k",
    .source = "Cleverdon 1967, Cranfield",
    .aliases = "P,Precision,precision_at_k",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_REQUIRED,
    .eval = eval_precision,
};

const assay_metric assay_metric_relative_P = {
    .name = "relative_P",
    .summary = "precision as a share of the best possible one",
    .formula = "relevant hits in the top k / min(k, relevant in the golden set)",
    .source = "trec_eval",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_REQUIRED,
    .eval = eval_relative,
};
