/* SPDX-License-Identifier: Apache-2.0 */
/* The hits as a set, whatever their order.  r = relevant hits, n = hits, R = relevant.
 *
 *     set_P = r / n      set_relative_P = r / min(n, R)      set_recall = r / R
 *     set_map = r^2 / (n R)
 *     set_F = (b + 1) P R / (b P + R)       trec_eval's: b, where van Rijsbergen has b^2
 *     utility = w1 r + w2 (n - r) + w3 (R - r) + w4 (N + r - n - R)
 *
 * N is the number of documents in the collection. */
#include "metric/metric.h"

static void eval_set_P(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = q->n_ranked ? (double)q->n_rel_pos / (double)q->n_ranked : 0.0;
}

static void eval_set_relative_P(const assay_judged *q, const assay_args *args,
                                double *out)
{
    uint32_t most = q->n_ranked < q->n_relevant ? q->n_ranked : q->n_relevant;

    (void)args;
    out[0] = most ? (double)q->n_rel_pos / (double)most : 0.0;
}

static void eval_set_recall(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = q->n_relevant ? (double)q->n_found / (double)q->n_relevant : 0.0;
}

static void eval_set_map(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = 0.0;
    if (q->n_ranked && q->n_relevant)
        out[0] = ((double)q->n_rel_pos * (double)q->n_found) /
                 ((double)q->n_ranked * (double)q->n_relevant);
}

static void eval_set_F(const assay_judged *q, const assay_args *args, double *out)
{
    double b = args->value[0].is_set ? args->value[0].number : 1.0;
    double p, r;

    out[0] = 0.0;
    if (!q->n_rel_pos || !q->n_relevant)
        return;
    p = (double)q->n_rel_pos / (double)q->n_ranked;
    r = (double)q->n_found / (double)q->n_relevant;
    out[0] = (b + 1.0) * p * r / (b * p + r);
}

static void eval_utility(const assay_judged *q, const assay_args *args, double *out)
{
    static const double standard[4] = {1.0, -1.0, 0.0, 0.0};
    const double *w = args->value[0].n_reals == 4 ? args->value[0].real : standard;
    int64_t r = q->n_rel_pos;
    int64_t n = q->n_ranked;
    int64_t relevant = q->n_relevant;

    out[0] = w[0] * (double)r + w[1] * (double)(n - r) + w[2] * (double)(relevant - r) +
             w[3] * (double)((int64_t)q->n_collection + r - n - relevant);
}

#define SET_METRIC                                                          \
    .source = "trec_eval", .needs = ASSAY_NEEDS_GRADES,                     \
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL, \
    .at = ASSAY_AT_NEVER

const assay_metric assay_metric_set_P = {
    .name = "set_P",
    .summary = "share of all hits that is relevant",
    .formula = "relevant hits / hits",
    .aliases = "SetP",
    .eval = eval_set_P,
    SET_METRIC,
};

const assay_metric assay_metric_set_relative_P = {
    .name = "set_relative_P",
    .summary = "precision of all hits as a share of the best possible one",
    .formula = "relevant hits / min(hits, relevant in the golden set)",
    .aliases = "SetRelP",
    .eval = eval_set_relative_P,
    SET_METRIC,
};

const assay_metric assay_metric_set_recall = {
    .name = "set_recall",
    .summary = "share of the relevant things that is among the hits",
    .formula = "relevant found / relevant in the golden set",
    .aliases = "SetR",
    .eval = eval_set_recall,
    SET_METRIC,
};

const assay_metric assay_metric_set_map = {
    .name = "set_map",
    .summary = "precision times recall of all hits",
    .formula = "set_P * set_recall",
    .aliases = "SetAP",
    .eval = eval_set_map,
    SET_METRIC,
};

static const assay_metric_param beta_param[] = {
    {.name = "beta",
     .type = ASSAY_METRIC_PARAM_REAL,
     .standard = 1.0,
     .summary = "weight of recall against precision"},
    {.name = NULL},
};

const assay_metric assay_metric_set_F = {
    .name = "set_F",
    .summary = "weighted harmonic mean of precision and recall of all hits",
    .formula = "(b + 1) P R / (b P + R), b = beta (not squared, as in trec_eval)",
    .aliases = "SetF",
    .param = beta_param,
    .eval = eval_set_F,
    SET_METRIC,
};

static const assay_metric_param weights_param[] = {
    {.name = "weights",
     .type = ASSAY_METRIC_PARAM_REALS,
     .reals = "1,-1,0,0",
     .summary = "worth of a relevant hit, another hit, a relevant miss, another miss"},
    {.name = NULL},
};

const assay_metric assay_metric_utility = {
    .name = "utility",
    .summary = "worth of all hits and misses, weighted",
    .formula = "w1 r + w2 (n - r) + w3 (R - r) + w4 (N + r - n - R)",
    .param = weights_param,
    .eval = eval_utility,
    SET_METRIC,
};
