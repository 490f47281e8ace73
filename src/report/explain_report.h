/* SPDX-License-Identifier: Apache-2.0 */
/* Why: waterfalls, transitions, and single queries, for people and for machines. */
#ifndef ASSAY_REPORT_EXPLAIN_REPORT_H
#define ASSAY_REPORT_EXPLAIN_REPORT_H

#include "base/buffer.h"
#include "diagnose/explain.h"

/* What a report gets handed in. */
typedef struct assay_why {
    const assay_comparison *comparison;
    const assay_waterfall *fall; /* one for each side */
    const assay_explanation *explanation;
    uint32_t n_explanations;
    uint32_t n_left_out; /* queries that changed and are not among them */
    const char *terms;   /* lines on the scores of single hits, "" = none */
} assay_why;

void assay_why_table(const assay_why *why, assay_buffer *out);
void assay_why_json(const assay_why *why, assay_buffer *out);

#endif
