/* SPDX-License-Identifier: Apache-2.0 */
/* The BCa bootstrap interval of a mean (Efron 1987): bias-corrected and accelerated. */
#ifndef ASSAY_STAT_BOOTSTRAP_H
#define ASSAY_STAT_BOOTSTRAP_H

#include <stdint.h>

#include "stat/sample.h"

enum { ASSAY_BOOTSTRAP_DRAWS = 10000 };

/* The interval of the mean of `d` that holds with `confidence`.  n < 2: none, except that
 * zeros have [0, 0].  All the same: that value twice.  `n_draws` of 0 means the default;
 * the same bits for any number of threads.  False: no memory. */
bool assay_bootstrap_interval(const double *d, size_t n, double confidence, uint64_t seed,
                              uint32_t n_draws, uint32_t n_threads, assay_interval *out);

/* The rule by itself: `drawn` are the means of the resamples, in ascending order, `mean`
 * is that of the sample and `acceleration` its skewness as the jackknife has it. */
assay_interval assay_bootstrap_bca(const double *drawn, size_t n_drawn, double mean,
                                   double acceleration, double confidence);

/* The acceleration of a mean: sum of (d - mean)^3 over 6 (sum of (d - mean)^2)^1.5; 0 where
 * there is no spread. */
double assay_bootstrap_acceleration(const double *d, size_t n);

#endif
