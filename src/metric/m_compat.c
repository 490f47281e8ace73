/* SPDX-License-Identifier: Apache-2.0 */
/* compat: how close the ranking comes to the best one, as rank-biased overlap.
 *
 *     rbo(a, b) = sum over depths d of p^(d - 1) * |first d of a and first d of b| / d,
 *                 over sum of p^(d - 1)
 *     compat = rbo(ranking, ideal) / rbo(ideal, ideal), or its numerator alone with
 *              normalize=false
 *
 * The depth is the length of the longer list.  The ideal has everything with a grade above
 * 0, by grade, and among equal grades in the order of the ranking, then what was not
 * retrieved: of all ideals the one that the ranking is closest to.  So a document at
 * position i of the ranking and j of the ideal is in both from depth max(i, j) + 1 on.
 */
#include "metric/metric.h"

#include <string.h>

enum { PERSISTENCE, NORMALIZE };

/* The documents of one grade have the places [first, end) of the ideal, the retrieved ones
 * in their order. */
static void join_grade(const assay_judged *q, uint32_t first, uint32_t end, double *joins)
{
    uint32_t place = first;

    for (uint32_t i = 0; i < q->n_pool_pos && place < end; i++) {
        uint32_t pos = q->pool_pos[i];

        if (q->grade[pos] != q->ideal[first])
            continue;
        joins[place > pos ? place : pos]++;
        place++;
    }
}

/* joins[i] = documents that are in both lists from depth i + 1 on. */
static void find_joins(const assay_judged *q, uint32_t n_ideal, double *joins)
{
    uint32_t end;

    for (uint32_t first = 0; first < n_ideal; first = end) {
        end = first + 1;
        while (end < n_ideal && q->ideal[end] == q->ideal[first])
            end++;
        join_grade(q, first, end, joins);
    }
}

static uint32_t count_relevant(const assay_judged *q)
{
    uint32_t n = 0;

    while (n < q->n_ideal && q->ideal[n] > 0)
        n++;
    return n;
}

static void eval_compat(const assay_judged *q, const assay_args *args, double *out)
{
    double p = args->value[PERSISTENCE].number;
    uint32_t n_ideal = count_relevant(q);
    uint32_t depth = q->n_ranked > n_ideal ? q->n_ranked : n_ideal;
    double *joins = q->scratch;
    double overlap = 0, score = 0, best = 0, total = 0;
    double weight = 1;

    memset(joins, 0, depth * sizeof *joins);
    find_joins(q, n_ideal, joins);
    for (uint32_t d = 0; d < depth; d++) {
        overlap += joins[d];
        score += weight * overlap / (d + 1.0);
        best += weight * (d < n_ideal ? 1.0 : n_ideal / (d + 1.0));
        total += weight;
        weight *= p;
    }
    if (args->value[NORMALIZE].number != 0)
        total = best;
    for (size_t c = 0; c < args->n; c++)
        out[c] = total > 0 ? score / total : 0.0;
}

static const assay_metric_param compat_params[] = {
    {.name = "p",
     .type = ASSAY_METRIC_PARAM_REAL,
     .standard = 0.95,
     .least = 0,
     .most = 1,
     .summary = "persistence: how fast deeper ranks lose weight"},
    {.name = "normalize",
     .type = ASSAY_METRIC_PARAM_BOOL,
     .standard = 1,
     .summary = "divide by what the ideal ranking would get"},
    {.name = NULL},
};

const assay_metric assay_metric_compat = {
    .name = "compat",
    .summary = "rank-biased overlap of the ranking with the ideal one",
    .formula = "rbo(ranking, ideal) / rbo(ideal, ideal)",
    .source = "Clarke, Vtyurina and Smucker 2021, TOIS 39(1)",
    .aliases = "Compat",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .param = compat_params,
    .eval = eval_compat,
};
