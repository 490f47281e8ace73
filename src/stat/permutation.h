/* SPDX-License-Identifier: Apache-2.0 */
/* The sign-flip permutation test of paired differences: how often is the sum as far from
 * 0 as it is, when each difference may have either sign? */
#ifndef ASSAY_STAT_PERMUTATION_H
#define ASSAY_STAT_PERMUTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ASSAY_PERMUTATION_EXACT = 20,     /* up to here all signs are tried */
    ASSAY_PERMUTATION_DRAWS = 100000, /* beyond, this many by chance */
};

typedef struct assay_permutation {
    double p;         /* two-sided; NaN for n = 0, 1 where all are zero; never 0 */
    size_t n_used;    /* differences that are not zero: only they have a sign */
    bool is_exact;    /* all 2^n_used signs were tried */
    uint32_t n_draws; /* else: so many */
} assay_permutation;

/* Sums that differ by less than 1e-12 of the sum of magnitudes are the same.  Exact: the
 * share of all sign patterns; else p = (k + 1) / (draws + 1).  `n_draws` of 0 means the
 * default; `n_threads` as in base/pool.h.  The same bits for any number of threads.
 * False: no memory. */
bool assay_permutation_test(const double *d, size_t n, uint64_t seed, uint32_t n_draws,
                            uint32_t n_threads, assay_permutation *out);

#endif
