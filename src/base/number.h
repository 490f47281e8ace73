/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal text to double and back, exactly. */
#ifndef ASSAY_BASE_NUMBER_H
#define ASSAY_BASE_NUMBER_H

#include <stdbool.h>

#include "assay.h"

/* Room that assay_number_print needs. */
enum { ASSAY_NUMBER_TEXT = 32 };

/* The longest prefix of [p, end) that is a decimal number as strtod reads it, rounded
 * to nearest even.  Returns the end of the number, or `p` where there is none.  Also
 * takes what strtod takes beyond decimals (hex, inf, nan) when `is_lenient`. */
const char *assay_number_scan(const char *p, const char *end, bool is_lenient,
                              double *out);

/* The whole slice as a finite decimal number. */
bool assay_number_read(assay_slice s, double *out);

/* Write the shortest of %.1g to %.17g that reads back as the same double; "0.1", "1e-07",
 * "1" and "-0" are possible results.  Infinite and NaN give "inf", "-inf", "nan".
 * Returns the length; `text` is terminated. */
size_t assay_number_print(double value, char text[ASSAY_NUMBER_TEXT]);

#endif
