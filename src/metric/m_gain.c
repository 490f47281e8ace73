/* SPDX-License-Identifier: Apache-2.0 */
/* trec_eval's experiments with gain.  I(i), i from 1: gains above 0 of the judged things,
 * highest first; there are n of them.
 *
 *     ndcg_rel = mean of ndcg over the n things: at the rank of each one that is a hit,
 *                and at the end of the ranking for each one that is not
 *     Rndcg    = mean of ndcg at the ranks after which I changes, and at the last hit
 *                if the ranking goes on for more than one beyond n
 *     G        = sum of gain / log2(2 + c - g) / sum of I
 *                c: sum of max(I, 1) to this rank, g: sum of gains to this rank
 *     binG     = mean over relevant things of 1 / log2(2 + nonrelevant hits above)
 */
#include "metric/dcg.h"

enum { PARAM_GAINS };

static double discounted(const assay_dcg *d, uint32_t rank)
{
    return assay_dcg_ideal(d, rank) / assay_dcg_discount(d->q, rank);
}

static void eval_ndcg_rel(const assay_judged *q, const assay_args *args, double *out)
{
    assay_dcg d = assay_dcg_open(q, &args->value[PARAM_GAINS], false);
    double dcg = 0.0, ideal = 0.0, sum = 0.0;
    uint32_t rank = 0;
    uint32_t gained = 0;

    for (uint32_t i = 0; i < d.n; i++) {
        uint32_t pos = assay_dcg_pos(&d, i);
        double gain = assay_dcg_hit(&d, i);

        if (gain == 0.0)
            continue;
        dcg += gain / assay_dcg_discount(q, pos);
        for (; rank < d.n_ideal && rank <= pos; rank++)
            ideal += discounted(&d, rank);
        if (gain > 0.0) {
            sum += dcg / ideal;
            gained++;
        }
    }
    for (; rank < d.n_ideal; rank++)
        ideal += discounted(&d, rank);

    sum += ((double)d.n_ideal - (double)gained) * dcg / ideal;
    out[0] = sum > 0.0 ? sum / (double)d.n_ideal : 0.0;
}

/* Add what hits `*hit` on gain before position `end`. */
static double gain_before(const assay_dcg *d, uint32_t *hit, uint32_t end, double dcg)
{
    for (; *hit < d->n && assay_dcg_pos(d, *hit) < end; (*hit)++) {
        double gain = assay_dcg_hit(d, *hit);

        if (gain != 0.0)
            dcg += gain / assay_dcg_discount(d->q, assay_dcg_pos(d, *hit));
    }
    return dcg;
}

static void eval_Rndcg(const assay_judged *q, const assay_args *args, double *out)
{
    assay_dcg d = assay_dcg_open(q, &args->value[PARAM_GAINS], false);
    double dcg = 0.0, ideal = 0.0, sum = 0.0;
    uint32_t points = 0;
    uint32_t hit = 0;

    out[0] = 0.0;
    if (!q->n_relevant)
        return;

    for (uint32_t rank = 0; rank < d.n_ideal; rank++) {
        ideal += discounted(&d, rank);
        if (rank + 1 < d.n_ideal &&
            assay_dcg_ideal(&d, rank) == assay_dcg_ideal(&d, rank + 1))
            continue;
        dcg = gain_before(&d, &hit, rank + 1, dcg);
        sum += dcg / ideal;
        points++;
    }
    if (d.n_ideal && d.n_ideal + 1 < q->n_ranked) {
        dcg = gain_before(&d, &hit, ASSAY_NO_CUTOFF, dcg);
        sum += dcg / ideal;
        points++;
    }
    /* 0/0 where no grade has a gain, as in trec_eval. */
    out[0] = sum / (double)points;
}

static void eval_G(const assay_judged *q, const assay_args *args, double *out)
{
    assay_dcg d = assay_dcg_open(q, &args->value[PARAM_GAINS], false);
    double cost = 0.0, gained = 0.0, all = 0.0, sum = 0.0;
    uint32_t rank = 0;

    for (uint32_t i = 0; i < d.n; i++) {
        uint32_t pos = assay_dcg_pos(&d, i);
        double gain = assay_dcg_hit(&d, i);

        if (gain == 0.0)
            continue;
        gained += gain;
        for (; rank <= pos && rank < d.n_ideal; rank++)
            cost += assay_dcg_ideal(&d, rank) >= 1.0 ? assay_dcg_ideal(&d, rank) : 1.0;
        /* Whole numbers may be added at once; fractions one by one, to round alike. */
        if (rank <= pos && !d.gains) {
            cost += (double)(pos + 1 - rank);
            rank = pos + 1;
        }
        for (; rank <= pos; rank++)
            cost += 1.0;
        sum += gain / log2(2.0 + cost - gained);
    }
    for (uint32_t i = 0; i < d.n_ideal; i++)
        all += assay_dcg_ideal(&d, i);
    out[0] = all > 0.0 ? sum / all : 0.0;
}

static void eval_binG(const assay_judged *q, const assay_args *args, double *out)
{
    double sum = 0.0;

    (void)args;
    for (uint32_t i = 0; i < q->n_rel_pos; i++)
        sum += 1.0 / q->log2_rank[q->rel_pos[i] - i];
    out[0] = q->n_rel_pos ? sum / (double)q->n_relevant : 0.0;
}

static const assay_metric_param gains_params[] = {
    [PARAM_GAINS] = {.name = "gains",
                     .type = ASSAY_METRIC_PARAM_GAINS,
                     .summary = "gain of each grade, the grade itself unless given"},
    {.name = NULL},
};

const assay_metric assay_metric_ndcg_rel = {
    .name = "ndcg_rel",
    .summary = "ndcg averaged over the ranks of the relevant things",
    .formula = "mean of ndcg at the rank of each thing with a gain, at the end for those "
               "not found",
    .source = "trec_eval, experimental",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .param = gains_params,
    .eval = eval_ndcg_rel,
};

const assay_metric assay_metric_Rndcg = {
    .name = "Rndcg",
    .summary = "ndcg averaged over the ranks where the ideal gain changes",
    .formula = "mean of ndcg at the numbers of things with a gain of at least g, each g",
    .source = "trec_eval, experimental",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .param = gains_params,
    .eval = eval_Rndcg,
};

const assay_metric assay_metric_G = {
    .name = "G",
    .summary = "gain discounted by what a perfect ranking would have had more",
    .formula = "sum of gain / log2(2 + cost - gains so far) / sum of all gains",
    .source = "trec_eval, experimental",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .param = gains_params,
    .eval = eval_G,
};

const assay_metric assay_metric_binG = {
    .name = "binG",
    .summary = "relevant hits discounted by the nonrelevant ones above them",
    .formula = "mean over relevant things of 1 / log2(2 + nonrelevant hits above)",
    .source = "trec_eval, experimental",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .eval = eval_binG,
};
