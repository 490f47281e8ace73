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
#include "base/notes.h"
#include "score/score.h"

/* bob's three means, as the file has them. */
typedef struct assay_bob_means {
    double recall; /* NaN where the file has none */
    double precision;
    double mrr;
    uint32_t k;         /* 0 = not said */
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
    bool *passed; /* bob: by query */
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
assay_scores *assay_recorded_scores(const assay_recorded_run *run,
                                    const assay_slice *query, uint32_t n_queries,
                                    const assay_slice *metric, uint32_t n_metrics);

/* ---- bob's comparison ---- */

enum { ASSAY_BOB_LINES = 3 };

/* One of bob's means in both files. */
typedef struct assay_bob_line {
    const char *name; /* "recall", "precision", "mrr" */
    double baseline;
    double current;
    double delta; /* current - baseline */
    bool has_passed;
} assay_bob_line;

typedef struct assay_bob_comparison {
    assay_bob_line line[ASSAY_BOB_LINES];
    double tolerance;
    uint32_t k; /* of the current file, 0 = not said */
    bool has_passed;
    assay_slice *fallen; /* queries that passed and fail now, in file order */
    uint32_t n_fallen;
    assay_notes notes; /* what bob does not check: k, golden set, queries */
} assay_bob_comparison;

/* A mean may fall by the tolerance and no further; limits are decimal, so that 0.75 against
 * 0.80 passes with 0.05.  A file without one of the means is ASSAY_EINPUT.  Everything
 * lives in `arena`; clear the notes. */
ASSAY_MUST_USE assay_status assay_bob_compare(const assay_recorded_run *baseline,
                                              const assay_recorded_run *current,
                                              double tolerance, assay_arena *arena,
                                              assay_bob_comparison *out,
                                              assay_error *err);

#endif
