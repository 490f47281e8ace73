/* SPDX-License-Identifier: Apache-2.0 */
/* The tests by name: what `--test` takes.  Each compares two samples of doubles. */
#ifndef ASSAY_STAT_STAT_H
#define ASSAY_STAT_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two samples.  Paired tests want n_a == n_b, a[i] and b[i] being of one query. */
typedef struct assay_stat_pair {
    const double *a;
    const double *b;
    size_t n_a;
    size_t n_b;
} assay_stat_pair;

typedef struct assay_stat_settings {
    uint64_t seed;
    uint32_t n_threads; /* 0 = one for each core */
    uint32_t n_draws;   /* 0 = the test's own number */
} assay_stat_settings;

typedef struct assay_stat_result {
    double p;         /* two-sided; NaN where nothing was compared */
    double statistic; /* t, W (the lesser rank sum), wins, or mean difference */
    double df;        /* of t tests, else NaN */
    double effect;    /* dz of paired tests, d of the others; may be NaN */
    size_t n;         /* pairs; the lesser number of the others */
    size_t n_used;    /* pairs that differ */
    bool is_exact;    /* every outcome was counted; no approximation and no chance */
    uint32_t n_draws; /* random draws behind p, 0 = none */
} assay_stat_result;

typedef struct assay_stat_test {
    const char *name; /* permutation, t, wilcoxon, sign, welch, student-unpaired */
    const char *summary;
    bool is_paired;
    /* False: no memory. */
    bool (*run)(const assay_stat_pair *pair, const assay_stat_settings *settings,
                assay_stat_result *out);
} assay_stat_test;

/* In the order help shows them; the first is the default; null behind the last. */
const assay_stat_test *assay_stat_test_at(size_t i);
const assay_stat_test *assay_stat_test_find(const char *name);

#endif
