/* SPDX-License-Identifier: Apache-2.0 */
/* Student's t: paired differences, and two samples that are not paired. */
#ifndef ASSAY_STAT_TTEST_H
#define ASSAY_STAT_TTEST_H

#include "stat/sample.h"

typedef struct assay_ttest {
    double t;  /* may be infinite: constant differences */
    double df; /* degrees of freedom; 0 where there is no test */
    double p;  /* two-sided; NaN for n = 0 */
} assay_ttest;

/* Is the mean of the differences 0?  n = 0: p is NaN.  n = 1 or all zero: t = 0, p = 1.  All
 * the same and not zero: t is infinite, p = 0. */
assay_ttest assay_ttest_paired(const assay_sample *d);

/* The interval of the mean that holds with `confidence` (two-sided).  n < 2: none, except
 * that differences which are all zero have [0, 0].  All the same: that value twice. */
assay_interval assay_ttest_interval(const assay_sample *d, double confidence);

/* One-sided bounds, each at level alpha: P(mean < low) <= alpha, P(mean > high) <= alpha. */
double assay_ttest_low(const assay_sample *d, double alpha);
double assay_ttest_high(const assay_sample *d, double alpha);

/* P(T >= (mean - limit) / standard error): small when the mean is above the limit; and the
 * same below.  No spread: 0 or 1, and 1 where the mean is the limit.  n < 2: 1. */
double assay_ttest_above(const assay_sample *d, double limit);
double assay_ttest_below(const assay_sample *d, double limit);

/* Two samples: mean of b minus mean of a.  Student pools the variances, Welch does not.
 * Either n below 2, or no spread in both: t = 0, p = 1, as EvalVault has it. */
assay_ttest assay_ttest_student(const assay_sample *a, const assay_sample *b);
assay_ttest assay_ttest_welch(const assay_sample *a, const assay_sample *b);

#endif
