/* SPDX-License-Identifier: Apache-2.0 */
/* Differences of two runs' scores with what statistics says of them. */
#ifndef ASSAY_COMPARE_DELTA_H
#define ASSAY_COMPARE_DELTA_H

#include "score/score.h"
#include "stat/correction.h"
#include "stat/stat.h"

/* One measure of both runs.  What does not exist is NaN. */
typedef struct assay_delta {
    const assay_column *column; /* of a's scores */
    double a;                   /* aggregates */
    double b;
    double delta;  /* b - a */
    int direction; /* 1 b is better, -1 worse, 0 the same, or nobody can say */
    uint32_t n_a;  /* queries behind a */
    uint32_t n_b;
    uint32_t n; /* queries that have a score in both: what is below is about them */
    uint32_t n_up;
    uint32_t n_down;
    double low; /* bootstrap interval (BCa) of the mean difference */
    double high;
    double t_low; /* t interval */
    double t_high;
    double p; /* two-sided, of the test asked for */
    double p_corrected;
    const char *effect_level; /* "small", "large" ...; null = no effect is known */
    double effect;            /* dz of paired tests, d of the others */
    double p_paired; /* beside an unpaired test: what the paired one says; else p */
    bool is_exact;
    uint32_t judged_k; /* depth of the next two, 0 = they say nothing here */
    double judged_a;   /* share of the hits that somebody judged */
    double judged_b;
} assay_delta;

typedef struct assay_delta_rules {
    const assay_stat_test *test;        /* null = the default */
    const assay_correction *correction; /* null = the default */
    double confidence;                  /* 0 = 0.95 */
    uint64_t seed;
    uint32_t n_threads;
    bool is_rounded; /* kebab: of aggregates rounded to four decimals */
} assay_delta_rules;

/* The first n_columns of two tables whose rows are the same queries.  p_corrected is left
 * at p.  out[] has room for n_columns.  False: no memory. */
bool assay_deltas_make(const assay_scores *a, const assay_scores *b, uint32_t n_columns,
                       const assay_delta_rules *rules, assay_delta *out);

/* Correct the p of several lists of deltas as one family.  Returns the number of tests in
 * the family, or ASSAY_NONE: no memory. */
uint32_t assay_deltas_correct(assay_delta *const *delta, uint32_t n_lists,
                              uint32_t n_columns, const assay_correction *correction);

#endif
