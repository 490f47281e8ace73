/* SPDX-License-Identifier: Apache-2.0 */
/* The sign test: is it as likely to win as to lose?  Zeros do not count. */
#ifndef ASSAY_STAT_SIGN_H
#define ASSAY_STAT_SIGN_H

#include <stddef.h>

typedef struct assay_sign {
    double p; /* two-sided, exact (binomial); NaN for n = 0, 1 where all are zero */
    size_t n_plus;
    size_t n_minus;
    size_t n_zero;
} assay_sign;

assay_sign assay_sign_test(const double *d, size_t n);

#endif
