/* SPDX-License-Identifier: Apache-2.0 */
/* The golden set's side of an evaluation: grades and anchors of every query, by level,
 * made when a level is first needed and kept for all runs. */
#ifndef ASSAY_PIPELINE_EVAL_GOLD_H
#define ASSAY_PIPELINE_EVAL_GOLD_H

#include "golden/golden.h"
#include "metric/evidence.h"
#include "metric/judge.h"
#include "pipeline/projection.h"

/* Zeroed but for `golden` is ready. */
typedef struct assay_eval_gold {
    const assay_golden *golden;
    assay_arena arena;
    assay_grades *chunk; /* by query; null = not made yet */
    assay_grades *doc;
    assay_anchors *anchors;
    int32_t max_grade;              /* at least 1 */
    const assay_projection *chunks; /* the run's chunks that find evidence, or
                                              null: only chunk ids speak of chunks */
    uint32_t *order;                /* queries that are no drafts, ids in byte order */
    uint32_t n_order;
    uint32_t n_drafts;
} assay_eval_gold;

/* Fill order and max_grade. */
ASSAY_MUST_USE assay_status assay_eval_gold_open(assay_eval_gold *gold,
                                                 const assay_golden *golden,
                                                 assay_error *err);
ASSAY_MUST_USE assay_status assay_eval_gold_level(assay_eval_gold *gold,
                                                  assay_level level, assay_error *err);

/* From now on only these queries, whose ids stand in byte order, are measured; no draft is
 * among them. */
ASSAY_MUST_USE assay_status assay_eval_gold_only(assay_eval_gold *gold,
                                                 const uint32_t *query, uint32_t n,
                                                 assay_error *err);

/* From now on the chunks are those of `view` (borrowed; null = as in the file). */
void assay_eval_gold_project(assay_eval_gold *gold, const assay_projection *view);
void assay_eval_gold_close(assay_eval_gold *gold);

/* How many labelled queries have a judgment at this level; *n_labelled says of how many. */
uint32_t assay_eval_gold_covered(const assay_eval_gold *gold, assay_level level,
                                 uint32_t *n_labelled);

#endif
