/* SPDX-License-Identifier: Apache-2.0 */
/* At most so many requests a second, over all threads: each takes the next place in a
 * timetable and waits for it. */
#ifndef ASSAY_BASE_RATE_H
#define ASSAY_BASE_RATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct assay_rate {
    int64_t every_us;          /* between two requests; 0 = no limit */
    atomic_int_least64_t next; /* the first free place, microseconds of the clock */
} assay_rate;

/* 0 or less: no limit. */
void assay_rate_init(assay_rate *rate, double per_second);

/* Wait for one's turn.  False: *stop (may be null) became something else than 0. */
bool assay_rate_wait(assay_rate *rate, const atomic_int *stop);

#endif
