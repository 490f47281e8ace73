/* SPDX-License-Identifier: Apache-2.0 */
/* Plain metrics taken for each subtopic of a query, and the mean over the subtopics that
 * have a relevant document:
 *
 *     precision_ia@k  precision at k (divides by k even when fewer came back)
 *     ap_ia           average precision over the whole list
 *     strecall@k      1 for a subtopic that some hit in the top k answers
 *
 * A query without subtopics has no value, one whose subtopics nothing answers has 0.
 */
#include "metric/metric.h"

/* Relevant documents of a subtopic. */
static uint32_t count_relevant(const assay_judged *q, uint32_t subtopic)
{
    uint32_t n = 0;

    for (uint32_t doc = 0; doc < q->subtopics->n_docs; doc++)
        n +=
            q->subtopics->grade[(size_t)doc * q->subtopics->n + subtopic] >= q->threshold;
    return n;
}

static bool answers(const assay_judged *q, uint32_t pos, uint32_t subtopic)
{
    uint32_t doc = q->judged ? q->judged[pos] : ASSAY_NONE;

    if (doc == ASSAY_NONE || q->grade[pos] == ASSAY_REPEATED)
        return false;
    return q->subtopics->grade[(size_t)doc * q->subtopics->n + subtopic] >= q->threshold;
}

/* Adds what one subtopic gives to out[]. */
typedef void (*add_subtopic)(const assay_judged *q, const assay_args *args,
                             uint32_t subtopic, uint32_t n_relevant, double *out);

static void eval_mean(const assay_judged *q, const assay_args *args, add_subtopic add,
                      double *out)
{
    uint32_t n = 0;

    for (size_t c = 0; c < args->n; c++)
        out[c] = q->subtopics ? 0.0 : ASSAY_ABSENT;
    for (uint32_t j = 0; q->subtopics && j < q->subtopics->n; j++) {
        uint32_t n_relevant = count_relevant(q, j);

        if (!n_relevant)
            continue;
        n++;
        add(q, args, j, n_relevant, out);
    }
    for (size_t c = 0; n && c < args->n; c++)
        out[c] /= n;
}

static void add_precision(const assay_judged *q, const assay_args *args,
                          uint32_t subtopic, uint32_t n_relevant, double *out)
{
    uint32_t found = 0;
    uint32_t pos = 0;

    (void)n_relevant;
    for (size_t c = 0; c < args->n; c++) {
        for (; pos < q->n_ranked && pos < args->k[c]; pos++)
            found += answers(q, pos, subtopic);
        out[c] += (double)found / args->k[c];
    }
}

static void add_recall(const assay_judged *q, const assay_args *args, uint32_t subtopic,
                       uint32_t n_relevant, double *out)
{
    uint32_t pos = 0;

    (void)n_relevant;
    while (pos < q->n_ranked && !answers(q, pos, subtopic))
        pos++;
    for (size_t c = 0; c < args->n; c++)
        out[c] += pos < q->n_ranked && pos < args->k[c];
}

static void add_ap(const assay_judged *q, const assay_args *args, uint32_t subtopic,
                   uint32_t n_relevant, double *out)
{
    uint32_t found = 0;
    double sum = 0;

    for (uint32_t pos = 0; pos < q->n_ranked; pos++)
        if (answers(q, pos, subtopic))
            sum += ++found / (pos + 1.0);
    for (size_t c = 0; c < args->n; c++)
        out[c] += sum / n_relevant;
}

static void eval_precision_ia(const assay_judged *q, const assay_args *args, double *out)
{
    eval_mean(q, args, add_precision, out);
}

static void eval_strecall(const assay_judged *q, const assay_args *args, double *out)
{
    eval_mean(q, args, add_recall, out);
}

static void eval_ap_ia(const assay_judged *q, const assay_args *args, double *out)
{
    eval_mean(q, args, add_ap, out);
}

#define COMMON                                           \
    .needs = ASSAY_NEEDS_GRADES | ASSAY_NEEDS_SUBTOPICS, \
    .takes = ASSAY_TAKES_REL | ASSAY_TAKES_JUDGED_ONLY | ASSAY_TAKES_LEVEL

const assay_metric assay_metric_precision_ia = {
    .name = "precision_ia",
    .summary = "intent-aware precision",
    .formula = "mean over subtopics of: hits on it in the top k / k",
    .source = "Agrawal, Gollapudi, Halverson and Ieong 2009, WSDM; ndeval",
    .aliases = "P_IA",
    .at = ASSAY_AT_REQUIRED,
    .eval = eval_precision_ia,
    COMMON,
};

const assay_metric assay_metric_ap_ia = {
    .name = "ap_ia",
    .summary = "intent-aware average precision",
    .formula = "mean over subtopics of average precision",
    .source = "Agrawal, Gollapudi, Halverson and Ieong 2009, WSDM; ndeval",
    .aliases = "AP_IA,MAP_IA",
    .at = ASSAY_AT_NEVER,
    .eval = eval_ap_ia,
    COMMON,
};

const assay_metric assay_metric_strecall = {
    .name = "strecall",
    .summary = "share of the subtopics that the top k answer",
    .formula = "subtopics with a relevant hit in the top k / subtopics",
    .source = "Zhai, Cohen and Lafferty 2003, SIGIR; ndeval",
    .aliases = "StRecall",
    .at = ASSAY_AT_REQUIRED,
    .eval = eval_strecall,
    COMMON,
};
