/* SPDX-License-Identifier: Apache-2.0 */
/* Plain counts, added up over queries: hits, relevant things, both, and judged misses. */
#include "metric/metric.h"

static void eval_num_q(const assay_judged *q, const assay_args *args, double *out)
{
    (void)q;
    (void)args;
    out[0] = 1.0;
}

static void eval_num_ret(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = (double)q->n_ranked;
}

static void eval_num_rel(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = (double)q->n_relevant;
}

static void eval_num_rel_ret(const assay_judged *q, const assay_args *args, double *out)
{
    (void)args;
    out[0] = (double)q->n_rel_pos;
}

static void eval_num_nonrel_judged_ret(const assay_judged *q, const assay_args *args,
                                       double *out)
{
    uint32_t n = 0;

    (void)args;
    for (uint32_t i = 0; i < q->n_pool_pos; i++) {
        int32_t grade = q->grade[q->pool_pos[i]];

        n += grade >= 0 && grade < q->threshold;
    }
    out[0] = (double)n;
}

#define COUNT_METRIC                                                         \
    .source = "trec_eval", .at = ASSAY_AT_NEVER, .aggregate = ASSAY_AGG_SUM, \
    .has_no_direction = true

const assay_metric assay_metric_num_q = {
    .name = "num_q",
    .summary = "queries that were measured",
    .formula = "number of queries",
    .source = "trec_eval",
    .aliases = "NumQ",
    .at = ASSAY_AT_NEVER,
    .aggregate = ASSAY_AGG_COUNT,
    .has_no_direction = true,
    .eval = eval_num_q,
};

const assay_metric assay_metric_num_ret = {
    .name = "num_ret",
    .summary = "hits",
    .formula = "number of hits, summed over queries",
    .aliases = "NumRet",
    .takes = ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL,
    .eval = eval_num_ret,
    COUNT_METRIC,
};

const assay_metric assay_metric_num_rel = {
    .name = "num_rel",
    .summary = "relevant things in the golden set",
    .formula = "number of relevant judgments, summed over queries",
    .aliases = "NumRel",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_LEVEL,
    .eval = eval_num_rel,
    COUNT_METRIC,
};

const assay_metric assay_metric_num_rel_ret = {
    .name = "num_rel_ret",
    .summary = "relevant hits",
    .formula = "number of relevant hits, summed over queries",
    .aliases = "NumRelRet",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_LEVEL,
    .eval = eval_num_rel_ret,
    COUNT_METRIC,
};

const assay_metric assay_metric_num_nonrel_judged_ret = {
    .name = "num_nonrel_judged_ret",
    .summary = "hits that were judged and are not relevant",
    .formula = "number of judged nonrelevant hits, summed over queries",
    .needs = ASSAY_NEEDS_GRADES,
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_LEVEL,
    .eval = eval_num_nonrel_judged_ret,
    COUNT_METRIC,
};
