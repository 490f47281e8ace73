/* SPDX-License-Identifier: Apache-2.0 */
/* Averages over judgment groups: a metric is taken with each user's judgments alone.
 *
 *     map_avgjg = mean over groups of ap, and likewise P_avgjg@k and Rprec_mult_avgjg@x
 */
#include "metric/groups.h"

extern const assay_metric assay_metric_ap;
extern const assay_metric assay_metric_precision;
extern const assay_metric assay_metric_Rprec_mult;

/* Mean over the groups, one cutoff or point at a time. */
static void average(const assay_metric *metric, const assay_judged *q,
                    const assay_args *args, double *out)
{
    for (size_t c = 0; c < args->n; c++) {
        const assay_args one = {
            .k = args->k ? &args->k[c] : NULL, .x = args->x ? &args->x[c] : NULL, .n = 1};
        double sum = 0.0;

        for (uint32_t g = 0; g < q->groups->n; g++) {
            double value;

            metric->eval(&q->groups->view[g], &one, &value);
            sum += value;
        }
        out[c] = q->groups->n ? sum / (double)q->groups->n : 0.0;
    }
}

static void eval_map_avgjg(const assay_judged *q, const assay_args *args, double *out)
{
    static const uint32_t all = ASSAY_NO_CUTOFF;
    const assay_args whole = {.k = &all, .n = 1};

    (void)args;
    average(&assay_metric_ap, q, &whole, out);
}

static void eval_P_avgjg(const assay_judged *q, const assay_args *args, double *out)
{
    average(&assay_metric_precision, q, args, out);
}

static void eval_Rprec_mult_avgjg(const assay_judged *q, const assay_args *args,
                                  double *out)
{
    average(&assay_metric_Rprec_mult, q, args, out);
}

const assay_metric assay_metric_map_avgjg = {
    .name = "map_avgjg",
    .summary = "average precision, averaged over judgment groups",
    .formula = "mean of ap over the groups",
    .source = "trec_eval",
    .needs = ASSAY_NEEDS_GROUPS,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY,
    .at = ASSAY_AT_NEVER,
    .eval = eval_map_avgjg,
};

const assay_metric assay_metric_P_avgjg = {
    .name = "P_avgjg",
    .summary = "precision, averaged over judgment groups",
    .formula = "mean of precision@k over the groups",
    .source = "trec_eval",
    .needs = ASSAY_NEEDS_GROUPS,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY,
    .at = ASSAY_AT_REQUIRED,
    .eval = eval_P_avgjg,
};

const assay_metric assay_metric_Rprec_mult_avgjg = {
    .name = "Rprec_mult_avgjg",
    .summary = "precision at a multiple of R, averaged over judgment groups",
    .formula = "mean of Rprec_mult@x over the groups",
    .source = "trec_eval",
    .needs = ASSAY_NEEDS_GROUPS,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY,
    .at = ASSAY_AT_REAL,
    .eval = eval_Rprec_mult_avgjg,
};
