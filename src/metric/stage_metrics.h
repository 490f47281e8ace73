/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of single stages, from stage events: how fast, how many, how good.
 *
 *     <stage>.latency_ms                       every stage that took a known time
 *     retrieval.  result_count avg_score score_gap precision_at_k recall_at_k
 *     rerank.     keep_rate avg_score score_gap
 *     output.     token_ratio citation_count
 *     input.      query_length
 *     language_detection. | intent.            accuracy confidence
 *     safety_check.                            violation_rate block_rate
 *     answer_validation.                       pass_rate
 *
 * Two conventions.  As evalvault has it, precision and recall exist only where something
 * was retrieved, and k shrinks to what came back: a query that found nothing drops out of
 * the mean, which rises.  By default such a query has recall 0, precision is divided by
 * the top_k asked for, a failed retrieval is a miss, and of several attempts at a query
 * the last counts. */
#ifndef ASSAY_METRIC_STAGE_METRICS_H
#define ASSAY_METRIC_STAGE_METRICS_H

#include "golden/golden.h"
#include "run/stages.h"

typedef struct assay_stage_threshold {
    assay_slice metric;
    double value;
} assay_stage_threshold;

typedef struct assay_stage_rules {
    bool is_evalvault;           /* its conventions instead of ours */
    const assay_node *relevance; /* {"test case": ["doc", ...]}, or null */
    const assay_golden *golden;  /* or null; asked where the map does not know */
    const assay_stage_threshold *threshold;
    uint32_t n_thresholds;
} assay_stage_rules;

/* One metric of one event. */
typedef struct assay_stage_value {
    const assay_stage *event;
    assay_slice metric;
    double value;
    double threshold; /* NaN = none */
    bool is_max;      /* the threshold is the most, not the least, that passes */
    bool has_passed;  /* only with a threshold */
} assay_stage_value;

/* One metric over all events. */
typedef struct assay_stage_summary {
    assay_slice metric;
    uint32_t n;
    double mean;
    double min;
    double max;
    double threshold; /* NaN = none */
    bool is_max;
    uint32_t n_passed;
} assay_stage_summary;

/* Events of one type. */
typedef struct assay_stage_count {
    assay_slice type;
    uint32_t n;
    uint32_t n_timed;
    double mean_ms; /* over those with a known time */
} assay_stage_count;

typedef struct assay_stage_report {
    assay_stage_value *value; /* in the order of the events */
    uint32_t n_values;
    assay_stage_summary *summary; /* by name */
    uint32_t n_summaries;
    assay_stage_count *count; /* by type */
    uint32_t n_counts;
    assay_notes notes; /* to be cleared by assay_stage_report_clear */
} assay_stage_report;

/* Measure the events of the chosen run.  Arrays live in `arena`. */
ASSAY_MUST_USE assay_status assay_stage_measure(const assay_stages *stages,
                                                const assay_stage_rules *rules,
                                                assay_arena *arena,
                                                assay_stage_report *out,
                                                assay_error *err);
void assay_stage_report_clear(assay_stage_report *report);

/* Whether a stage type is one that a complete trace has; null past the end. */
const char *assay_stage_required(size_t i);

/* The thresholds in force without a file. */
const assay_stage_threshold *assay_stage_thresholds_standard(uint32_t *n);

/* Those of a JSON file laid over the standard ones: a map, or {"default": {},
 * "profiles": {"name": {}}}, where `profile` (or null) is laid over the default.  An
 * empty map means: none at all. */
ASSAY_MUST_USE assay_status assay_stage_thresholds_read(
    const char *path, assay_slice text, const char *profile, assay_arena *arena,
    assay_stage_rules *rules, assay_error *err);

/* A relevance map: {"test case": ["doc", ...] or "doc"}; ids may be whole numbers. */
ASSAY_MUST_USE assay_status assay_stage_relevance_read(const char *path, assay_slice text,
                                                       assay_arena *arena,
                                                       assay_stage_rules *rules,
                                                       assay_error *err);

#endif
