/* SPDX-License-Identifier: Apache-2.0 */
/* rbp: rank-biased precision.  A user goes on to the next hit with probability p.
 *
 *     rbp = (1 - p) * sum over ranks r of gain(r) * p^(r - 1)
 *
 * The gain is grade / max_grade, or with rel 1 for a grade >= rel and else 0.  Nothing is
 * assumed of the hits below the last one.
 */
#include "metric/metric.h"

enum { PERSISTENCE, REL, MAX_GRADE };

static double gain(int32_t grade, const assay_value *rel, int32_t max)
{
    if (rel->is_set)
        return grade >= rel->number;
    return grade <= 0 ? 0.0 : grade >= max ? 1.0 : (double)grade / max;
}

static void eval_rbp(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_value *given = &args->value[MAX_GRADE];
    int32_t max = given->is_set ? (int32_t)given->number : q->max_grade;
    double p = args->value[PERSISTENCE].number;
    double weight = 1;
    uint32_t rank = 0;
    double sum = 0;
    uint32_t i = 0;

    for (size_t c = 0; c < args->n; c++) {
        for (; i < q->n_pool_pos && q->pool_pos[i] < args->k[c]; i++) {
            for (; rank < q->pool_pos[i]; rank++)
                weight *= p;
            sum += weight * gain(q->grade[q->pool_pos[i]], &args->value[REL], max);
        }
        out[c] = (1 - p) * sum;
    }
}

static const assay_metric_param rbp_params[] = {
    {.name = "p",
     .type = ASSAY_METRIC_PARAM_REAL,
     .standard = 0.8,
     .least = 0,
     .most = 1,
     .summary = "persistence: how likely the user goes on to the next hit"},
    {.name = "rel",
     .type = ASSAY_METRIC_PARAM_INT,
     .standard = NAN,
     .summary = "lowest grade that counts as relevant; none = gains by grade"},
    {.name = "max_grade",
     .type = ASSAY_METRIC_PARAM_INT,
     .standard = NAN,
     .least = 1,
     .most = 1000,
     .summary = "highest grade of the scale; none = the golden set's highest"},
    {.name = NULL},
};

const assay_metric assay_metric_rbp = {
    .name = "rbp",
    .summary = "rank-biased precision: gain of a user who goes on with probability p",
    .formula = "(1 - p) * sum of gain(r) * p^(r - 1), gain = grade / max_grade, "
               "or 1 for a grade >= rel",
    .source = "Moffat and Zobel 2008, TOIS 27(1)",
    .aliases = "RBP",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_OPTIONAL,
    .param = rbp_params,
    .eval = eval_rbp,
};
