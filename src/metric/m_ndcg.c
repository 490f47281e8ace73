/* SPDX-License-Identifier: Apache-2.0 */
/* Discounted cumulative gain.
 *
 *     dcg@k       = sum over the top k of gain / log2(rank + 1)
 *     ideal_dcg@k = the same for the judged things in order of gain
 *     ndcg@k      = dcg@k / ideal_dcg@k, 0 where nothing has a gain
 *
 * Gains are linear in the grade (Jarvelin and Kekalainen 2002); dcg=exp-log2 gives the
 * 2^grade - 1 that is common in web search.  Every grade above 0 gains: the relevance
 * threshold plays no part, as in trec_eval.  The ideal is cut at k, too. */
#include "metric/dcg.h"

enum { PARAM_GAINS, PARAM_DCG };

typedef struct progress {
    uint32_t hit;
    uint32_t rank;
    double dcg;
    double ideal;
} progress;

/* Go on to the top `k`: hits, then ideal, each added up in rank order. */
static void walk_to(const assay_dcg *d, uint32_t k, progress *p)
{
    for (; p->hit < d->n && assay_dcg_pos(d, p->hit) < k; p->hit++) {
        double gain = assay_dcg_hit(d, p->hit);

        if (gain != 0.0)
            p->dcg += gain / assay_dcg_discount(d->q, assay_dcg_pos(d, p->hit));
    }
    for (; p->rank < d->n_ideal && p->rank < k; p->rank++)
        p->ideal += assay_dcg_ideal(d, p->rank) / assay_dcg_discount(d->q, p->rank);
}

static void eval_ndcg(const assay_judged *q, const assay_args *args, double *out)
{
    bool is_exponential =
        args->value[PARAM_DCG].is_set && args->value[PARAM_DCG].number > 0;
    assay_dcg d = assay_dcg_open(q, &args->value[PARAM_GAINS], is_exponential);
    progress p = {0, 0, 0.0, 0.0};

    for (size_t c = 0; c < args->n; c++) {
        walk_to(&d, args->k[c], &p);
        out[c] = p.ideal > 0.0 ? p.dcg / p.ideal : 0.0;
    }
}

static void eval_dcg(const assay_judged *q, const assay_args *args, double *out)
{
    assay_dcg d = assay_dcg_open(q, &args->value[PARAM_GAINS], false);
    progress p = {0, 0, 0.0, 0.0};

    for (size_t c = 0; c < args->n; c++) {
        walk_to(&d, args->k[c], &p);
        out[c] = p.dcg;
    }
}

static void eval_ideal_dcg(const assay_judged *q, const assay_args *args, double *out)
{
    assay_dcg d = assay_dcg_open(q, &args->value[PARAM_GAINS], false);
    progress p = {0, 0, 0.0, 0.0};

    for (size_t c = 0; c < args->n; c++) {
        walk_to(&d, args->k[c], &p);
        out[c] = p.ideal;
    }
}

static const assay_metric_param ndcg_params[] = {
    [PARAM_GAINS] = {.name = "gains",
                     .type = ASSAY_METRIC_PARAM_GAINS,
                     .summary = "gain of each grade, the grade itself unless given"},
    [PARAM_DCG] = {.name = "dcg",
                   .type = ASSAY_METRIC_PARAM_CHOICE,
                   .choices = "log2,exp-log2",
                   .summary = "log2: gain = grade; exp-log2: gain = 2^grade - 1"},
    {.name = NULL},
};

static const assay_metric_param gains_params[] = {
    [PARAM_GAINS] = {.name = "gains",
                     .type = ASSAY_METRIC_PARAM_GAINS,
                     .summary = "gain of each grade, the grade itself unless given"},
    {.name = NULL},
};

const assay_metric assay_metric_ndcg = {
    .name = "ndcg",
    .summary = "graded hits, discounted by rank, as a share of the ideal ranking",
    .formula = "sum of gain / log2(rank + 1) over the top k, divided by the best "
               "possible sum",
    .source = "Jarvelin and Kekalainen 2002, Cumulated Gain-Based Evaluation",
    .aliases = "nDCG,NDCG,ndcg_cut,ndcg_at",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_OPTIONAL,
    .param = ndcg_params,
    .eval = eval_ndcg,
};

const assay_metric assay_metric_dcg = {
    .name = "dcg",
    .summary = "graded hits, discounted by rank",
    .formula = "sum of gain / log2(rank + 1) over the top k",
    .source = "Jarvelin and Kekalainen 2002, Cumulated Gain-Based Evaluation",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_OPTIONAL,
    .param = gains_params,
    .eval = eval_dcg,
};

const assay_metric assay_metric_ideal_dcg = {
    .name = "ideal_dcg",
    .summary = "the dcg of a perfect ranking",
    .formula = "sum of gain / log2(rank + 1) over the judged things in order of gain",
    .source = "Jarvelin and Kekalainen 2002, Cumulated Gain-Based Evaluation",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_OPTIONAL,
    .has_no_direction = true,
    .param = gains_params,
    .eval = eval_ideal_dcg,
};
