/* SPDX-License-Identifier: Apache-2.0 */
/* aggregate_json of the store: what a run adds up to, written and read back.
 *
 *     {"schema":"assay.aggregate/1","conventions":"assay","level":"chunk",
 *      "golden_hash":"...","assay_version":"...",
 *      "metrics":{"recall(level=chunk,...)@5":
 *          {"name":"recall@5","value":0.5,"n":20,"absent":0,"level":"chunk"}, ...},
 *      "counts":{"total":20,"failed":0, ...}}
 *
 * The full spelling is the key, so that a changed default cannot change what an old number
 * means.  Under kebab's conventions kebab's own fields stand behind the schema, in its
 * order. */
#ifndef ASSAY_REPORT_AGGREGATE_JSON_H
#define ASSAY_REPORT_AGGREGATE_JSON_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "metric/conventions.h"
#include "run/run.h"
#include "score/score.h"

/* What the scores do not say themselves. */
typedef struct assay_aggregate_about {
    const assay_conventions *conventions;
    assay_slice golden_hash; /* of the frozen set it was measured with; "" = unknown */
    uint32_t
        skipped; /* queries that the run never set out to answer (golden/planned.h) */
} assay_aggregate_about;

/* Append one object on one line, without a line break. */
void assay_aggregate_json(const assay_scores *scores, const assay_aggregate_about *about,
                          assay_buffer *out);

/* The same for a run that has no hits, only values that its maker recorded (bob's results
 * file): they are kept query by query, under "recorded". */
void assay_aggregate_recorded(const assay_run *run, assay_buffer *out);

/* ---- reading ---- */

typedef struct assay_aggregated_metric {
    assay_slice key;   /* full spelling; of kebab's own fields the short one */
    assay_slice name;  /* short spelling */
    assay_slice level; /* "" = does not matter, or unknown */
    double value;      /* NaN = none */
    uint32_t n;        /* ASSAY_NONE = unknown */
    bool is_lower_better;
    bool has_no_direction;
} assay_aggregated_metric;

typedef struct assay_aggregated {
    assay_slice conventions; /* "" = not measured yet */
    assay_slice level;
    assay_slice golden_hash;         /* "" = unknown */
    assay_slice version;             /* of the program that measured */
    bool is_recorded;                /* by somebody else; there is nothing to measure */
    assay_aggregated_metric *metric; /* in the order in which they were measured */
    uint32_t n_metrics;
    int64_t total; /* queries; -1 = unknown, here and below */
    int64_t failed;
    int64_t missing;
    int64_t skipped;
    int64_t ineligible;
} assay_aggregated;

/* Read what assay_aggregate_json, kebab, or nobody ("{}") wrote; `name` stands for the file
 * in messages.  Slices live in `arena`, or point into `json`. */
ASSAY_MUST_USE assay_status assay_aggregate_read(const char *name, assay_slice json,
                                                 assay_arena *arena,
                                                 assay_aggregated *out, assay_error *err);

/* The metric of this key or name, or null. */
const assay_aggregated_metric *assay_aggregate_find(const assay_aggregated *aggregate,
                                                    assay_slice spelling);

#endif
