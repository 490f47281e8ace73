/* SPDX-License-Identifier: Apache-2.0 */
/* err@k: expected reciprocal rank.  A user goes down the list and stops at a hit with the
 * probability that it satisfies, R = (2^grade - 1) / 2^max_grade.
 *
 *     err@k = sum over ranks r <= k of 1/r * R(r) * product over i < r of (1 - R(i))
 *
 * TREC's gdeval, and ir_measures with it, always take 4 as the highest grade:
 * err(max_grade=4) is that number.  A grade above max_grade counts as max_grade.
 */
#include "metric/metric.h"

static double satisfies(int32_t grade, int32_t max)
{
    int32_t g = grade < max ? grade : max;

    return g > 0 ? exp2(g - max) - exp2(-max) : 0.0;
}

static void eval_err(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_value *given = &args->value[0];
    int32_t max = given->is_set ? (int32_t)given->number : q->max_grade;
    double goes_on = 1;
    double sum = 0;
    uint32_t i = 0;

    for (size_t c = 0; c < args->n; c++) {
        for (; i < q->n_pool_pos && q->pool_pos[i] < args->k[c]; i++) {
            double stops = satisfies(q->grade[q->pool_pos[i]], max);

            sum += goes_on * stops / (q->pool_pos[i] + 1.0);
            goes_on *= 1 - stops;
        }
        out[c] = sum;
    }
}

static const assay_metric_param err_params[] = {
    {.name = "max_grade",
     .type = ASSAY_METRIC_PARAM_INT,
     .standard = NAN,
     .least = 1,
     .most = 1000,
     .summary = "highest grade of the scale; none = the golden set's highest"},
    {.name = NULL},
};

const assay_metric assay_metric_err = {
    .name = "err",
    .summary = "expected reciprocal rank of the hit that satisfies the user",
    .formula = "sum of R(r)/r * product over i < r of (1 - R(i)), "
               "R = (2^grade - 1) / 2^max_grade",
    .source = "Chapelle, Metzler, Zhang and Grinspan 2009, CIKM",
    .aliases = "ERR",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_OPTIONAL,
    .param = err_params,
    .eval = eval_err,
};
