/* SPDX-License-Identifier: Apache-2.0 */
/* Rank-biased precision as trec_eval 10 has it, for the drop-in.
 *
 *     trec_rbp  = (1 - p) * sum of gain * p^(rank - 1)
 *     rbp_resid = p^n + (1 - p) * sum of p^(rank - 1) over the hits nobody judged,
 *                 0 where all n hits were judged
 *
 * Gains are brought into 0..1 per query, by the lowest and highest gain of any level up to
 * the highest one that was judged.  trec_eval starts that search from variables it never
 * set; 0 and 1 are what was meant.  Powers are made by repeated multiplication, as there,
 * so the ranking is walked; but only until no power can change the sum. */
#include "metric/dcg.h"

enum { PARAM_P, PARAM_GAINS };

static double persistence(const assay_args *args)
{
    return args->value[PARAM_P].is_set ? args->value[PARAM_P].number : 0.9;
}

typedef struct range {
    double low;
    double high;
} range;

static void widen(range *r, double gain)
{
    if (gain < r->low)
        r->low = gain;
    if (gain > r->high)
        r->high = gain;
}

/* Lowest and highest gain.  A level that the user gave no gain gains itself, so the
 * highest of those is all that matters. */
static range gain_range(const assay_dcg *d)
{
    range r = {0.0, 1.0};
    int32_t level = d->q->n_ideal ? d->q->ideal[0] : 0;
    bool is_given = d->gains != NULL;

    for (; is_given && level > 0; level--) {
        is_given = false;
        for (uint32_t i = 0; i < d->gains->n_gains; i++)
            if (d->gains->gain[i].grade == level)
                is_given = true;
        if (!is_given)
            break;
    }
    widen(&r, level > 0 ? (double)level : 0.0);
    if (d->gains)
        for (uint32_t i = 0; i < d->gains->n_gains; i++)
            widen(&r, d->gains->gain[i].gain);
    return r;
}

/* Whether hit `i`'s grade has a gain at all: what is in no table gains 0 and is not
 * shifted. */
static bool has_gain(const assay_dcg *d, uint32_t i)
{
    int32_t grade = d->grade ? d->grade[i] : d->q->grade[assay_dcg_pos(d, i)];

    if (grade >= 0)
        return true;
    for (uint32_t j = 0; d->gains && j < d->gains->n_gains; j++)
        if (d->gains->gain[j].grade == grade)
            return true;
    return false;
}

static void eval_trec_rbp(const assay_judged *q, const assay_args *args, double *out)
{
    assay_dcg d = assay_dcg_open(q, &args->value[PARAM_GAINS], false);
    double p = persistence(args);
    range r = gain_range(&d);
    bool is_scaled = r.low < 0.0 || r.high > 1.0;
    double sum = 0.0;
    double power = 1.0;
    uint32_t pos = 0;

    for (uint32_t i = 0; i < d.n; i++) {
        double gain = has_gain(&d, i) ? assay_dcg_hit(&d, i) : 0.0;

        if (is_scaled && has_gain(&d, i))
            gain = (gain - r.low) / (r.high - r.low);
        for (; pos < assay_dcg_pos(&d, i); pos++)
            power = power * p;
        if (gain != 0.0)
            sum += gain * power;
        if (p >= 0.0 && p < 1.0 && sum > 0.0 && sum + power == sum)
            break;
    }
    out[0] = (1.0 - p) * sum;
}

static void eval_rbp_resid(const assay_judged *q, const assay_args *args, double *out)
{
    double p = persistence(args);
    bool is_falling = p >= 0.0 && p < 1.0;
    bool has_unjudged = false;
    double sum = 0.0;
    double power = 1.0;

    for (uint32_t pos = 0; pos < q->n_ranked; pos++) {
        if (q->grade[pos] < 0) {
            has_unjudged = true;
            sum += power;
        }
        power = power * p;
        if (is_falling && has_unjudged && sum + power == sum &&
            power + (1.0 - p) * sum == (1.0 - p) * sum)
            break;
    }
    out[0] = has_unjudged ? power + (1.0 - p) * sum : 0.0;
}

static const assay_metric_param rbp_params[] = {
    [PARAM_P] = {.name = "p",
                 .type = ASSAY_METRIC_PARAM_REAL,
                 .standard = 0.9,
                 .summary = "probability that the reader goes on to the next hit"},
    [PARAM_GAINS] = {.name = "gains",
                     .type = ASSAY_METRIC_PARAM_GAINS,
                     .summary = "gain of each grade, the grade itself unless given"},
    {.name = NULL},
};

static const assay_metric_param resid_params[] = {
    [PARAM_P] = {.name = "p",
                 .type = ASSAY_METRIC_PARAM_REAL,
                 .standard = 0.9,
                 .summary = "probability that the reader goes on to the next hit"},
    {.name = NULL},
};

const assay_metric assay_metric_trec_rbp = {
    .name = "trec_rbp",
    .summary = "rank-biased precision as trec_eval 10 computes it",
    .formula = "(1 - p) * sum of gain * p^(rank - 1), gains scaled to 0..1 per query",
    .source = "Moffat and Zobel 2008, Rank-Biased Precision; trec_eval 10",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .param = rbp_params,
    .eval = eval_trec_rbp,
};

const assay_metric assay_metric_rbp_resid = {
    .name = "rbp_resid",
    .summary = "how much rbp could rise if all unjudged hits were relevant",
    .formula = "p^n + (1 - p) * sum of p^(rank - 1) over unjudged hits, 0 without any",
    .source = "Moffat and Zobel 2008, Rank-Biased Precision; trec_eval 10",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_LEVEL,
    .at = ASSAY_AT_NEVER,
    .is_lower_better = true,
    .param = resid_params,
    .eval = eval_rbp_resid,
};
