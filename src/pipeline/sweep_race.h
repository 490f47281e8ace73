/* SPDX-License-Identifier: Apache-2.0 */
/* Successive halving: which questions, how many settings are left. */
#ifndef ASSAY_PIPELINE_SWEEP_RACE_H
#define ASSAY_PIPELINE_SWEEP_RACE_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"

typedef struct assay_sweep_race {
    uint32_t *tuning; /* queries that are not held out, in the order of their plan */
    uint32_t n_tuning;
    uint32_t first;     /* questions of the first round */
    uint32_t survivors; /* settings that are asked everything */
} assay_sweep_race;

/* False: no race is needed, since the budget (0 = none) pays for everything.  A null
 * `tuning` afterwards: no memory. */
bool assay_sweep_race_plan(const uint32_t *query, uint32_t n, const bool *is_held,
                           uint32_t n_settings, uint64_t budget, assay_arena *arena,
                           assay_sweep_race *out);

/* Keep the better half of alive[0..*n) (the reference, setting 0, always stays), and of
 * those only what is not significantly worse than the leader (paired t, Bonferroni), by
 * the values of the first m tuning questions. */
ASSAY_MUST_USE assay_status assay_sweep_drop(const double *value, uint32_t n_queries,
                                             const uint32_t *tuning, uint32_t m,
                                             bool is_lower_better, uint32_t *alive,
                                             uint32_t *n, assay_error *err);

/* For qsort over slices. */
int assay_sweep_by_bytes(const void *a, const void *b);

#endif
