/* SPDX-License-Identifier: Apache-2.0 */
/* Normal, binomial and noncentral t; Student's t and the beta function are in student.h. */
#ifndef ASSAY_STAT_DISTRIBUTIONS_H
#define ASSAY_STAT_DISTRIBUTIONS_H

#include <stdint.h>

/* P(Z <= z), and P(Z >= z) without loss where it is small. */
double assay_normal_cdf(double z);
double assay_normal_tail(double z);

/* The z with P(Z <= z) = p, 0 < p < 1. */
double assay_normal_quantile(double p);

/* Binomial: P(X = k) and P(X <= k) of n trials with chance p; 0 <= p <= 1. */
double assay_binomial_share(uint32_t k, uint32_t n, double p);
double assay_binomial_cdf(uint32_t k, uint32_t n, double p);

/* P(T >= t) of a noncentral t: the mean is off by `delta` standard errors.  Good to 1e-9:
 * it is for planning. */
double assay_noncentral_tail(double t, double df, double delta);

#endif
