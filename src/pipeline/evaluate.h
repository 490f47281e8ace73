/* SPDX-License-Identifier: Apache-2.0 */
/* The evaluation: a golden set and a run go in, scores come out.
 *
 *     golden ──> grades and anchors, once for each level ─┐
 *     measures ──> plan: views x metrics x cutoffs ───────┼──> scores
 *     run ──> order, drop duplicates, lay grades over ────┘
 *
 * An evaluator holds the first two and is used for run after run. */
#ifndef ASSAY_PIPELINE_EVALUATE_H
#define ASSAY_PIPELINE_EVALUATE_H

#include "assay.h"
#include "golden/golden.h"
#include "metric/conventions.h"
#include "metric/metric.h"
#include "metric/spelling.h"
#include "pipeline/projection.h"
#include "run/ranked.h"
#include "run/run.h"
#include "score/score.h"

/* What to do with equal scores. */
typedef enum assay_ties {
    ASSAY_TIES_ID_DOWN, /* ids in byte order, descending: trec_eval's */
    ASSAY_TIES_ID_UP,
    ASSAY_TIES_RANK,   /* by the rank given */
    ASSAY_TIES_LISTED, /* as the file has them */
    ASSAY_TIES_BEST,   /* the relevant first: an upper bound */
    ASSAY_TIES_WORST   /* the relevant last: a lower bound */
} assay_ties;

/* Everything that a caller may choose; zeroed is assay's own way. */
typedef struct assay_eval_settings {
    const assay_conventions *conventions; /* null = the golden set's own, else assay's */
    assay_level level;                    /* AUTO = the conventions', else the finest */
    assay_ties ties;
    assay_duplicates duplicates;
    bool collapse;       /* level doc: drop further chunks of a document */
    bool has_empty_rule; /* empty_rule overrides the conventions' */
    assay_empty_rule empty_rule;
    double confidence;  /* 0.95 = a 95 % t interval of each mean; 0 = none */
    uint32_t n_threads; /* 0 = one a core */
} assay_eval_settings;

typedef struct assay_evaluator assay_evaluator;

/* `golden` is borrowed and must outlive the evaluator. */
ASSAY_MUST_USE assay_status assay_evaluator_open(const assay_golden *golden,
                                                 const assay_eval_settings *settings,
                                                 assay_evaluator **out, assay_error *err);
void assay_evaluator_close(assay_evaluator *evaluator);

/* Measure one more thing, in any spelling, or a list of them. */
ASSAY_MUST_USE assay_status assay_evaluator_measure(assay_evaluator *evaluator,
                                                    assay_slice spelling,
                                                    assay_error *err);

/* How many measures there are so far. */
size_t assay_evaluator_n(const assay_evaluator *evaluator);

/* The level at which measures that do not say are taken; settled by the first run, or
 * before it by assay_evaluator_settle for several runs at once. */
ASSAY_MUST_USE assay_status assay_evaluator_settle(assay_evaluator *evaluator,
                                                   const assay_run *const *run, size_t n,
                                                   assay_error *err);
/* Settle on `level` without looking; measures that name their own keep it. */
void assay_evaluator_settle_on(assay_evaluator *evaluator, assay_level level);
assay_level assay_evaluator_level(const assay_evaluator *evaluator);
const assay_conventions *assay_evaluator_conventions(const assay_evaluator *evaluator);

/* The empty rule in force. */
assay_empty_rule assay_evaluator_empty(const assay_evaluator *evaluator);

/* What people should know of the level chosen and the like. */
const assay_notes *assay_evaluator_notes(const assay_evaluator *evaluator);

/* Change how ties are broken from the next run on. */
void assay_evaluator_ties(assay_evaluator *evaluator, assay_ties ties);

/* From the next run on, evidence makes relevant the chunks of `view`, which is borrowed
 * (null: only chunk ids speak of chunks). */
void assay_evaluator_project(assay_evaluator *evaluator, const assay_projection *view);

/* Measure only these queries of the golden set, given by their indices in byte order of
 * their ids; to be said before the level is settled. */
ASSAY_MUST_USE assay_status assay_evaluator_only(assay_evaluator *evaluator,
                                                 const uint32_t *query, uint32_t n,
                                                 assay_error *err);

/* The i-th measure asked for; null past the end. */
const assay_measure *assay_evaluator_measure_at(const assay_evaluator *evaluator,
                                                size_t i);

/* One query's ranking on its way to the metrics: ordered, without duplicates. */
typedef struct assay_eval_sight {
    uint32_t worker; /* below ASSAY_POOL_MOST; no two calls with one number at once */
    uint32_t at;     /* index of the row */
    const assay_row *row;
    const assay_result *result;
    const assay_ranked *ranked;
    uint32_t n;
} assay_eval_sight;

/* From the next run on, show every query's ranking to `watch`, on the thread that measures
 * it; false means no memory.  Null: to nobody. */
typedef bool assay_eval_watch(void *ctx, const assay_eval_sight *sight);
void assay_evaluator_watch(assay_evaluator *evaluator, assay_eval_watch *watch,
                           void *ctx);

/* Measure `run`.  On success the caller owns *out. */
ASSAY_MUST_USE assay_status assay_evaluator_run(assay_evaluator *evaluator,
                                                const assay_run *run, assay_scores **out,
                                                assay_error *err);

/* All at once; an empty list of measures means the conventions' own. */
ASSAY_MUST_USE assay_status assay_evaluate(const assay_golden *golden,
                                           const assay_run *run, const char *measures,
                                           const assay_eval_settings *settings,
                                           assay_scores **out, assay_error *err);

/* The measures that stand for "nothing was asked for", for this run. */
ASSAY_MUST_USE assay_status assay_evaluator_standard(assay_evaluator *evaluator,
                                                     const assay_run *const *run,
                                                     size_t n, assay_error *err);

#endif
