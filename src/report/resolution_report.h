/* SPDX-License-Identifier: Apache-2.0 */
/* What became of the judgments of a golden set in a corpus, for people and for programs. */
#ifndef ASSAY_REPORT_RESOLUTION_REPORT_H
#define ASSAY_REPORT_RESOLUTION_REPORT_H

#include "base/json.h"
#include "golden/resolve.h"

/* Counts, then a row a judgment: those that are not simply resolved, or all. */
void assay_resolution_table(const assay_resolution *r, const assay_golden *golden,
                            const char *corpus, bool is_all, assay_buffer *out);

/* The members "corpus", "findings", "stale_queries" and "resolution" of an open object. */
void assay_resolution_json(const assay_resolution *r, const assay_golden *golden,
                           const char *corpus, assay_json_writer *w);

#endif
