/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as a line of small blocks, for terminals. */
#ifndef ASSAY_REPORT_SPARK_H
#define ASSAY_REPORT_SPARK_H

#include "assay.h"
#include "base/buffer.h"

/* One block a value, from the lowest to the highest of them; where there is none (NaN) a
 * dot.  Equal values stand at half height. */
void assay_spark_line(const double *value, size_t n, assay_buffer *out);

/* A bar of at most `columns` for `value` on a scale from 0 to `most`; nothing for NaN. */
void assay_spark_bar(double value, double most, uint32_t columns, assay_buffer *out);

#endif
