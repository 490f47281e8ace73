/* SPDX-License-Identifier: Apache-2.0 */
/* Many settings, one of them best: by how much, and is that more than chance?
 *
 * The best is chosen on the tuning questions and judged on the held-out ones only, where
 * nobody looked before: the more settings one tries, the better the best looks, and only new
 * questions tell.  Beside it every setting has a p value against the reference on the tuning
 * questions, corrected for their number (the largest of all studentised differences under
 * random signs, Westfall and Young). */
#ifndef ASSAY_COMPARE_SWEEP_JUDGE_H
#define ASSAY_COMPARE_SWEEP_JUDGE_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "stat/sample.h"

/* Values of one metric, settings x questions. */
typedef struct assay_sweep_table {
    uint32_t n_settings;
    uint32_t n_questions;
    const double *value; /* [setting * n_questions + question]; NaN = none */
    const bool *is_held; /* by question: held out */
    const bool
        *is_finished; /* by setting: all questions were asked; null = all of them */
    bool is_lower_better;
    uint32_t reference; /* the setting that others are held against */
    uint64_t seed;
    uint32_t n_threads;
} assay_sweep_table;

typedef struct assay_sweep_row {
    double mean; /* over the tuning questions */
    assay_interval ci;
    uint32_t n;
    double delta;       /* mean difference to the reference, over questions both have */
    double p;           /* of it, by itself */
    double p_corrected; /* for the number of settings */
    bool is_pareto;     /* set by assay_sweep_pareto */
} assay_sweep_row;

typedef struct assay_sweep_verdict {
    assay_sweep_row *row; /* by setting */
    uint32_t best;        /* on the tuning questions, the first of equals */
    uint32_t n_held;
    double held_best; /* means over the held-out questions */
    double held_reference;
    double held_delta;
    assay_interval held_ci;
    double held_p;        /* NaN = nothing to compare */
    bool is_beyond_noise; /* held_p < 0.05, and the difference has the right direction */
} assay_sweep_verdict;

/* Everything lives in `arena`. */
ASSAY_MUST_USE assay_status assay_sweep_judge(const assay_sweep_table *table,
                                              assay_arena *arena,
                                              assay_sweep_verdict *out, assay_error *err);

/* Which of n points no other beats: quality up, costs down. */
typedef struct assay_sweep_point {
    double quality;
    double latency;
    double bytes;
} assay_sweep_point;
void assay_sweep_pareto(const assay_sweep_point *point, uint32_t n, bool is_lower_better,
                        assay_sweep_row *row);

/* Whether a question is held out: by a hash of its name and the seed, so that the same
 * question is always on the same side.  Variants of one question share a name: pass the
 * group's where there is one. */
bool assay_sweep_is_held(assay_slice name, uint64_t seed, double share);

#endif
