/* SPDX-License-Identifier: Apache-2.0 */
/* What all tests share: a list of numbers, its mean and spread, an interval.
 *
 * NaN never goes in.  What does not exist (the mean of nothing, the interval of one
 * value) comes out as NaN, which is null outside. */
#ifndef ASSAY_STAT_SAMPLE_H
#define ASSAY_STAT_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct assay_interval {
    double low; /* both NaN where there is none */
    double high;
} assay_interval;

typedef struct assay_sample {
    size_t n;
    double mean;      /* NaN for n = 0 */
    double spread;    /* standard deviation over n - 1; 0 for n < 2 */
    double magnitude; /* sum of the absolute values */
    bool is_constant; /* all values are the same number; true for n < 2 */
} assay_sample;

/* Sums are taken in the order of the values. */
assay_sample assay_sample_of(const double *value, size_t n);

/* out[i] = b[i] - a[i]; where they differ by rounding alone (1e-12 of the larger) it is 0,
 * so that a tie counts as a tie. */
void assay_sample_pair(const double *a, const double *b, size_t n, double *out);

#endif
