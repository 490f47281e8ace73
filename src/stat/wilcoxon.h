/* SPDX-License-Identifier: Apache-2.0 */
/* Wilcoxon's signed rank test, as scipy.stats.wilcoxon(d, zero_method='pratt',
 * correction=False) of scipy 1.17: zeros are ranked and then left out. */
#ifndef ASSAY_STAT_WILCOXON_H
#define ASSAY_STAT_WILCOXON_H

#include <stdbool.h>
#include <stddef.h>

typedef struct assay_wilcoxon {
    double p;          /* two-sided; NaN for n = 0, 1 where all are zero */
    double rank_plus;  /* sum of the ranks of what is above 0 */
    double rank_minus; /* and below */
    double z;          /* of the normal approximation; NaN where p is exact */
    size_t n_used;     /* differences that are not zero */
    bool is_exact;     /* n <= 50 without ties and zeros, n <= 13 with them */
} assay_wilcoxon;

/* False: no memory. */
bool assay_wilcoxon_test(const double *d, size_t n, assay_wilcoxon *out);

#endif
