/* SPDX-License-Identifier: Apache-2.0 */
/* Time, tokens and money, where the system says what it took.
 *
 * Latency is elapsed_ms of every query that has it, failed ones too: who waits for an
 * error has waited.  The percentiles interpolate as numpy does by default
 * (assay_aggregate). */
#include "metric/metric.h"

static void put(const assay_args *args, double *out, double value)
{
    for (size_t c = 0; c < args->n; c++)
        out[c] = value >= 0.0 ? value : ASSAY_ABSENT;
}

static void eval_latency(const assay_judged *q, const assay_args *args, double *out)
{
    put(args, out, q->result ? q->result->elapsed_ms : -1.0);
}

static const assay_answer *answer_of(const assay_judged *q)
{
    return q->result ? q->result->answer : NULL;
}

static void eval_prompt(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_answer *a = answer_of(q);

    put(args, out, a ? (double)a->prompt_tokens : -1.0);
}

static void eval_completion(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_answer *a = answer_of(q);

    put(args, out, a ? (double)a->completion_tokens : -1.0);
}

static void eval_cost(const assay_judged *q, const assay_args *args, double *out)
{
    const assay_answer *a = answer_of(q);

    put(args, out, a ? a->cost : -1.0);
}

#define LATENCY_METRIC                                                                  \
    .formula = "elapsed_ms of each query that has it, failed ones too; linear between " \
               "neighbours",                                                            \
    .source = "assay", .needs = ASSAY_NEEDS_TIME, .is_lower_better = true,              \
    .eval = eval_latency

const assay_metric assay_metric_latency_p50 = {
    .name = "latency_p50",
    .summary = "milliseconds that half of the queries do not exceed",
    .aggregate = ASSAY_AGG_P50,
    LATENCY_METRIC,
};

const assay_metric assay_metric_latency_p95 = {
    .name = "latency_p95",
    .summary = "milliseconds that 95 % of the queries do not exceed",
    .aggregate = ASSAY_AGG_P95,
    LATENCY_METRIC,
};

const assay_metric assay_metric_latency_p99 = {
    .name = "latency_p99",
    .summary = "milliseconds that 99 % of the queries do not exceed",
    .aggregate = ASSAY_AGG_P99,
    LATENCY_METRIC,
};

const assay_metric assay_metric_latency_max = {
    .name = "latency_max",
    .summary = "milliseconds of the slowest query",
    .aggregate = ASSAY_AGG_MAX,
    LATENCY_METRIC,
};

const assay_metric assay_metric_prompt_tokens = {
    .name = "prompt_tokens",
    .summary = "mean number of tokens in the prompt, where the system reports it",
    .formula = "tokens of the prompt",
    .source = "assay",
    .needs = ASSAY_NEEDS_TIME,
    .has_no_direction = true,
    .eval = eval_prompt,
};

const assay_metric assay_metric_completion_tokens = {
    .name = "completion_tokens",
    .summary = "mean number of tokens in the answer, where the system reports it",
    .formula = "tokens of the answer",
    .source = "assay",
    .needs = ASSAY_NEEDS_TIME,
    .has_no_direction = true,
    .eval = eval_completion,
};

const assay_metric assay_metric_cost = {
    .name = "cost",
    .summary = "mean cost of a query, where the system reports it",
    .formula = "cost of the answer, in the system's own unit",
    .source = "assay",
    .needs = ASSAY_NEEDS_TIME,
    .is_lower_better = true,
    .eval = eval_cost,
};

const assay_metric assay_metric_total_cost = {
    .name = "total_cost",
    .summary = "cost of all queries together, where the system reports it",
    .formula = "cost of the answer, in the system's own unit, summed over queries",
    .source = "assay",
    .needs = ASSAY_NEEDS_TIME,
    .aggregate = ASSAY_AGG_SUM,
    .is_lower_better = true,
    .eval = eval_cost,
};
