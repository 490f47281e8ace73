/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of which only values are left: what other programs recorded for each query, without
 * the hits.  They can be held against each other number by number.
 *
 *     bob's results     {"recall_mean", ..., "per_query": [{"id", "recall", "precision",
 *                       "mrr", "passed"}]}
 *     evalvault's runs  {"run_id", "cases": [{"test_case_id", "scores": {NAME: VALUE}}]}, and
 *                       what it exports: {"results": [{"test_case_id", "metrics": [{"name",
 *                       "score"}]}]} */
#ifndef ASSAY_COMPARE_RECORDED_H
#define ASSAY_COMPARE_RECORDED_H

#include "base/arena.h"
#include "base/dict.h"
#include "base/file.h"
#include "score/score.h"

/* bob's three means, as the file has them. */
typedef struct assay_bob_means {
    double recall; /* NaN where the file has none */
    double precision;
    double mrr;
    uint32_t k; /* 0 = not said */
    assay_slice golden; /* "" = not said */
    uint32_t n_queries;
} assay_bob_means;

typedef struct assay_recorded_run {
    assay_arena arena;
    assay_file file;
    const char *path;
    assay_slice name;
    assay_dict metrics;
    assay_dict queries;
    double *value; /* queries x metrics, NaN = none */
    bool is_bob;
    assay_bob_means bob;
} assay_recorded_run;

/* Whether a text looks like one of these. */
bool assay_recorded_is(assay_slice text);

/* On success the caller owns *out. */
ASSAY_MUST_USE assay_status assay_recorded_load(const char *path,
                                                assay_recorded_run **out,
                                                assay_error *err);
ASSAY_MUST_USE assay_status assay_recorded_parse(const char *name, assay_slice text,
                                                 assay_recorded_run **out,
                                                 assay_error *err);
void assay_recorded_free(assay_recorded_run *run);

/* The values of some queries (in byte order of ids) and metrics as a table of scores; a
 * null pointer: no memory. */
assay_scores *assay_recorded_scores(const assay_recorded_run *run, const assay_slice *query,
                                    uint32_t n_queries, const assay_slice *metric,
                                    uint32_t n_metrics);

#endif
