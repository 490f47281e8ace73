/* SPDX-License-Identifier: Apache-2.0 */
/* Randomised Tukey HSD (Carterette 2012): all pairs of many runs, queries as blocks.  Each
 * draw shuffles every query's values among the runs and notes the distance between the best
 * and the worst mean; a pair's p is the share of draws whose distance is at least its own.
 * The family-wise error of all pairs is kept by that maximum: no further correction. */
#ifndef ASSAY_STAT_TUKEY_H
#define ASSAY_STAT_TUKEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ASSAY_TUKEY_DRAWS = 10000 };

/* value[q * n_runs + r] is the score of run r for query q.  Fills p[i * n_runs + j] for all
 * pairs (symmetric, 1 on the diagonal), p = (k + 1) / (draws + 1).  No query, or one run:
 * all 1.  `n_draws` of 0 means the default; the same bits for any number of threads.
 * False: no memory. */
bool assay_tukey_test(const double *value, size_t n_queries, uint32_t n_runs,
                      uint64_t seed, uint32_t n_draws, uint32_t n_threads, double *p);

#endif
