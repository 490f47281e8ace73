/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of an evaluation: measures grouped so that each ranking is looked at once for
 * each view, and each metric is called once with all its cutoffs. */
#ifndef ASSAY_PIPELINE_EVAL_PLAN_H
#define ASSAY_PIPELINE_EVAL_PLAN_H

#include "metric/conventions.h"
#include "metric/metric.h"
#include "score/score.h"

/* One metric with its cutoffs, and the columns they go to. */
typedef struct assay_eval_call {
    const assay_metric *metric;
    void (*eval)(const assay_judged *q, const assay_args *args, double *out);
    assay_args args;
    uint32_t *column; /* columns that take a value ... */
    uint32_t *slot;   /* ... and which of the args->n values each takes */
    uint32_t n_columns;
} assay_eval_call;

/* One way to look at a ranking. */
typedef struct assay_eval_view {
    assay_level level;
    int32_t rel;
    bool judged_only;
    assay_eval_call *call;
    uint32_t n_calls;
} assay_eval_view;

typedef struct assay_eval_plan {
    assay_eval_view *view; /* levels evidence, chunk, doc in this order */
    uint32_t n_views;
    uint32_t most_values; /* largest args.n */
    unsigned needs;       /* of all metrics together */
    uint32_t *cutoff;     /* all finite cutoffs, ascending, without repeats */
    uint32_t n_cutoffs;
} assay_eval_plan;

/* The level at which a measure is taken when `level` is what was settled on, and
 * `forced` what the user asked for (AUTO = nothing). */
assay_level assay_eval_level(const assay_measure *measure, const assay_conventions *c,
                             assay_level forced, assay_level settled);

/* Make the plan in `arena`.  column[i].level must be set for measure i.  False: no
 * memory. */
bool assay_eval_plan_make(assay_eval_plan *plan, assay_arena *arena,
                          const assay_measures *measures, const assay_column *column,
                          const assay_conventions *conventions);

#endif
