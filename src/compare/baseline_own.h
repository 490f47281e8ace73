/* SPDX-License-Identifier: Apache-2.0 */
/* What baseline.c and baseline_read.c share: the lines of the head, in their order. */
#ifndef ASSAY_COMPARE_BASELINE_OWN_H
#define ASSAY_COMPARE_BASELINE_OWN_H

#include "compare/baseline.h"

#define ASSAY_BASELINE_MAGIC "assay baseline 1"

extern const size_t assay_baseline_n_fields;

/* The key of a line. */
const char *assay_baseline_field_name(size_t i);

/* Its place in the head; one of them is null. */
assay_slice *assay_baseline_text(assay_baseline_head *head, size_t i);
uint32_t *assay_baseline_number(assay_baseline_head *head, size_t i);

#endif
