/* SPDX-License-Identifier: Apache-2.0 */
/* Limits are decimal, scores are binary: 0.80 - 0.75 is a little more than 0.05 in a
 * double.  So nothing counts as beyond a limit unless it is beyond limit + 1e-9. */
#ifndef ASSAY_COMPARE_LIMITS_H
#define ASSAY_COMPARE_LIMITS_H

#include <stdbool.h>

#include "assay.h"

#define ASSAY_LIMIT_SLACK 1e-9

/* Beyond the limit, above or below it; NaN is neither. */
bool assay_limit_above(double value, double limit);
bool assay_limit_below(double value, double limit);

/* What a rule asks of a value. */
typedef enum assay_limit_sign {
    ASSAY_LIMIT_AT_LEAST, /* >= */
    ASSAY_LIMIT_AT_MOST,  /* <= */
    ASSAY_LIMIT_MORE,     /* >  */
    ASSAY_LIMIT_LESS      /* <  */
} assay_limit_sign;

/* ">=" and so on. */
const char *assay_limit_sign_text(assay_limit_sign sign);

/* Whether `value` is what the rule asks for; never so for NaN. */
bool assay_limit_holds(double value, assay_limit_sign sign, double limit);

/* How far a value may fall: by so much, or by such a share of what it was. */
typedef struct assay_allowance {
    double value;
    bool is_share; /* written with a % sign: 5% has the value 0.05 */
} assay_allowance;

/* "0.01" or "5%", not negative; false when it is neither. */
bool assay_allowance_parse(assay_slice text, assay_allowance *out);

/* The fall that is allowed from `before`. */
double assay_allowance_of(const assay_allowance *allowance, double before);

/* Whether a fall from `before` to `after` is within the tolerance, as bob's gate asks:
 * 0.80 to 0.75 is within 0.05.  Never so where one of them is NaN. */
bool assay_limit_tolerates(double before, double after, double tolerance);

#endif
