/* SPDX-License-Identifier: Apache-2.0 */
/* One query of an evaluation, from its hits to its row of scores. */
#ifndef ASSAY_PIPELINE_EVAL_QUERY_H
#define ASSAY_PIPELINE_EVAL_QUERY_H

#include "metric/answered.h"
#include "metric/evidence.h"
#include "pipeline/eval_gold.h"
#include "pipeline/eval_plan.h"
#include "pipeline/evaluate.h"

/* What all queries of one run share; read only. */
typedef struct assay_eval_job {
    const assay_run *run;
    const assay_eval_gold *gold;
    const assay_eval_plan *plan;
    const assay_eval_settings *settings;
    const assay_conventions *conventions;
    const assay_known *known; /* null where no metric asks for answers */
    assay_empty_rule empty;
    bool drop_self_hits;
    assay_eval_watch *watch; /* null = nobody looks on */
    void *watch_ctx;
    assay_scores *scores; /* row i is written by item i alone */
} assay_eval_job;

/* One worker's scratch space; zeroed is ready. */
typedef struct assay_eval_worker {
    uint32_t number;
    assay_judge judge;
    assay_evidence evidence;
    assay_answering answering;
    assay_arena arena;  /* of one query */
    assay_ranked *kept; /* the ranking before doc ids replace its own */
    size_t cap_kept;
    uint32_t n_kept;
    double *value; /* what a call writes */
    size_t cap_value;
    assay_counts counts; /* sums of this worker's queries */
    uint32_t failed_row; /* of the error below */
    assay_error err;     /* status 0 = none */
} assay_eval_worker;

void assay_eval_worker_clear(assay_eval_worker *worker);

/* Measure row `row`. */
void assay_eval_query(const assay_eval_job *job, assay_eval_worker *worker, uint32_t row);

#endif
