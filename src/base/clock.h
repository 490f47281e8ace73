/* SPDX-License-Identifier: Apache-2.0 */
/* Time that only goes forward, for deadlines and for how long things took. */
#ifndef ASSAY_BASE_CLOCK_H
#define ASSAY_BASE_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Microseconds since some moment before the program began. */
int64_t assay_clock_us(void);

static inline double assay_clock_ms_since(int64_t began_us)
{
    return (double)(assay_clock_us() - began_us) / 1000.0;
}

/* The moment so many seconds from now; more than a year is a year. */
int64_t assay_clock_in(double seconds);

/* Sleep until then, or until *stop (may be null) is not 0, seen within 50 ms.  False: it was
 * stopped. */
bool assay_clock_sleep(int64_t until_us, const atomic_int *stop);

#endif
