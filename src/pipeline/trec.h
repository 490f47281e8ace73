/* SPDX-License-Identifier: Apache-2.0 */
/* trec_eval's evaluation: a plan of its measures, judgments, a run -> a table of values.
 * What it does in which order, and where its versions differ, is in
 * docs/decisions/0002-trec-eval-compat.md. */
#ifndef ASSAY_PIPELINE_TREC_H
#define ASSAY_PIPELINE_TREC_H

#include "golden/qrels.h"
#include "metric/trec_table.h"
#include "run/trec_guess.h"
#include "run/trec_lines.h"

/* ---- the plan: what to compute ---- */

/* One line of output. */
typedef struct assay_trec_column {
    const assay_trec_measure *measure;
    const char *name;
} assay_trec_column;

/* One measure with its parameters, and the columns it fills. */
typedef struct assay_trec_request {
    const assay_trec_measure *measure;
    uint32_t *k; /* cutoffs, ascending */
    double *x;   /* points, ascending */
    assay_value value[ASSAY_PARAMS_MOST];
    uint32_t first; /* column */
    uint32_t n;     /* columns */
} assay_trec_request;

/* Zeroed is empty. */
typedef struct assay_trec_plan {
    assay_arena arena;
    assay_trec_request *request;
    uint32_t n_requests;
    size_t cap_requests;
    assay_trec_column *column;
    uint32_t n_columns;
    size_t cap_columns;
    uint32_t relstring; /* its length; 0 = not wanted */
    bool is_trec9;
} assay_trec_plan;

/* Append a measure; `params` is the text behind the '.', or null.  Bad parameters are
 * ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_trec_plan_add(assay_trec_plan *plan,
                                                const assay_trec_measure *measure,
                                                const char *params, assay_error *err);
void assay_trec_plan_clear(assay_trec_plan *plan);

/* ---- the run ---- */

/* A run file, read by a guess where that works and line by line where it does not. */
typedef struct assay_trec_run {
    const char *path;
    assay_file file;
    assay_trec_rules rules;
    assay_dict ids;          /* query id -> number */
    assay_trec_guess *guess; /* one of these two */
    assay_trec_lines *lines;
} assay_trec_run;

/* `run` must be zeroed; clear it also after a failure.  An empty file is ASSAY_EINPUT. */
ASSAY_MUST_USE assay_status assay_trec_run_open(assay_trec_run *run, const char *path,
                                                const assay_trec_rules *rules,
                                                assay_error *err);

/* The guess was wrong: look at every line.  Query numbers change. */
ASSAY_MUST_USE assay_status assay_trec_run_reopen(assay_trec_run *run, assay_error *err);
void assay_trec_run_clear(assay_trec_run *run);

/* The tag of the last line. */
assay_slice assay_trec_run_tag(const assay_trec_run *run);

/* ---- measuring ---- */

typedef struct assay_trec_options {
    bool is_trec9;
    bool is_complete;      /* -c */
    bool judged_only;      /* -J */
    int32_t level;         /* -l */
    uint32_t max_docs;     /* -M; UINT32_MAX = all */
    uint64_t n_collection; /* -N */
    assay_slice only;      /* -D n.qid: this topic alone; "" = all */
    assay_qrels_layout layout;
    uint32_t n_threads;
} assay_trec_options;

/* Zeroed is empty. */
typedef struct assay_trec_scores {
    assay_slice *topic; /* measured ones, in order of their ids */
    uint32_t n;
    uint32_t n_judged;   /* topics in the judgments */
    double *value;       /* n rows of plan->n_columns; logarithms for geometric means */
    char *relstring;     /* n rows of plan->relstring + 1, terminated */
    uint64_t n_positive; /* judgments above 0, over all topics: num_rel with -c */
    /* Where trec_eval gives up: topics before it were measured, and it is named in err. */
    bool has_stopped;
    assay_error stop;
} assay_trec_scores;

/* Measure every topic.  Fails only on malformed lines and for want of memory; what
 * trec_eval finds wrong with a topic is in scores->stop.  A run whose guess turns out
 * wrong is read again, line by line. */
ASSAY_MUST_USE assay_status assay_trec_measure_run(
    const assay_trec_plan *plan, const assay_qrels *qrels, assay_trec_run *run,
    const assay_trec_options *options, assay_trec_scores *scores, assay_error *err);
void assay_trec_scores_clear(assay_trec_scores *scores);

/* The summary of one column over the topics measured. */
double assay_trec_summary(const assay_trec_plan *plan, const assay_trec_scores *scores,
                          const assay_trec_options *options, uint32_t column);

#endif
