/* SPDX-License-Identifier: Apache-2.0 */
/* What a number of queries can show: power of the one-sided paired t test (noncentral t). */
#ifndef ASSAY_STAT_POWER_H
#define ASSAY_STAT_POWER_H

#include <stdint.h>

#define ASSAY_POWER_DEFAULT 0.8

/* The chance to see a true drop of `drop` with n queries, when the differences have the
 * standard deviation `spread` and the test the level alpha.  n < 2: 0. */
double assay_power_of(double drop, double spread, uint32_t n, double alpha);

/* The smallest drop that is seen with chance `power`.  n < 2: NaN.  No spread: 0. */
double assay_power_drop(double spread, uint32_t n, double alpha, double power);

/* The least number of queries that see `drop` with chance `power`; 0 when no number below
 * 2^31 does (the drop is 0 or less).  No spread: 2. */
uint32_t assay_power_queries(double drop, double spread, double alpha, double power);

#endif
