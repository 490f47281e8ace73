/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence in bytes: how exactly the passages were cut out.
 *
 *     E = bytes of the relevant anchors, R = bytes of the first k hits, both as unions
 *
 *     evidence_recall@k    = |E and R| / |E|
 *     evidence_precision@k = |E and R| / |R|
 *     evidence_iou@k       = |E and R| / |E or R|
 *     evidence_cost@k      = |R| / |E and R|
 *
 * Nothing retrieved (the query is missing, it failed, or no hit has spans) is 0 in the
 * first three, evidence_precision included: an empty answer is not a precise one.  The
 * cost of nothing does not exist: 0 would be the best cost of all.  So it is taken over
 * the queries with some evidence in the top k, and means little without
 * evidence_recall@k beside it. */
#include "metric/metric.h"

typedef struct bytes {
    uint64_t shared;
    uint64_t retrieved;
} bytes;

static bytes top(const assay_judged *q, uint32_t k)
{
    uint32_t n = k < q->n_ranked ? k : q->n_ranked;

    if (!n || !q->bytes_retrieved)
        return (bytes){0, 0};
    return (bytes){q->evidence_covered[n - 1], q->bytes_retrieved[n - 1]};
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0.0;
}

static void eval_recall(const assay_judged *q, const assay_args *args, double *out)
{
    for (size_t c = 0; c < args->n; c++)
        out[c] = ratio(top(q, args->k[c]).shared, q->evidence_bytes);
}

static void eval_precision(const assay_judged *q, const assay_args *args, double *out)
{
    for (size_t c = 0; c < args->n; c++) {
        bytes b = top(q, args->k[c]);

        out[c] = ratio(b.shared, b.retrieved);
    }
}

static void eval_iou(const assay_judged *q, const assay_args *args, double *out)
{
    for (size_t c = 0; c < args->n; c++) {
        bytes b = top(q, args->k[c]);

        out[c] = ratio(b.shared, q->evidence_bytes - b.shared + b.retrieved);
    }
}

static void eval_cost(const assay_judged *q, const assay_args *args, double *out)
{
    for (size_t c = 0; c < args->n; c++) {
        bytes b = top(q, args->k[c]);

        out[c] = b.shared ? (double)b.retrieved / (double)b.shared : ASSAY_ABSENT;
    }
}

#define EVIDENCE_METRIC                                                        \
    .source = "assay; character-level retrieval scores of chunking studies",   \
    .needs = ASSAY_NEEDS_GRADES | ASSAY_NEEDS_SPANS, .takes = ASSAY_TAKES_REL, \
    .at = ASSAY_AT_OPTIONAL, .level = ASSAY_LEVEL_EVIDENCE

const assay_metric assay_metric_evidence_recall = {
    .name = "evidence_recall",
    .summary = "share of the bytes of evidence that the first k hits hold; 0 for missing "
               "and failed queries",
    .formula = "evidence bytes in the top k / evidence bytes",
    .eval = eval_recall,
    EVIDENCE_METRIC,
};

const assay_metric assay_metric_evidence_precision = {
    .name = "evidence_precision",
    .summary = "share of the bytes of the first k hits that is evidence; 0 for missing "
               "and failed queries",
    .formula = "evidence bytes in the top k / bytes in the top k",
    .eval = eval_precision,
    EVIDENCE_METRIC,
};

const assay_metric assay_metric_evidence_iou = {
    .name = "evidence_iou",
    .summary = "bytes common to the evidence and the first k hits, over the bytes of "
               "both; 0 for missing and failed queries",
    .formula = "evidence bytes in the top k / bytes in the evidence or the top k",
    .eval = eval_iou,
    EVIDENCE_METRIC,
};

const assay_metric assay_metric_evidence_cost = {
    .name = "evidence_cost",
    .summary = "bytes retrieved for each byte of evidence in the first k hits; over "
               "queries with some evidence there",
    .formula = "bytes in the top k / evidence bytes in the top k",
    .is_lower_better = true,
    .eval = eval_cost,
    EVIDENCE_METRIC,
};
