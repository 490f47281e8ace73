/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay run` tells: the table of its runs, the spread between repeats, the queries that
 * found nothing, and what the runs are called. */
#ifndef ASSAY_REPORT_RUN_REPORT_H
#define ASSAY_REPORT_RUN_REPORT_H

#include "report/report.h"

/* Beside run i of the report. */
typedef struct assay_run_line {
    assay_slice run_id;
    assay_slice method;
    assay_slice snapshot; /* JSON */
    uint32_t repeat;      /* from 1, 0 = not repeated */
} assay_run_line;

typedef struct assay_run_sheet {
    const assay_report *report;
    const assay_run_line *line; /* one for each run of the report */
    const char *store;          /* where they are kept */
    uint32_t k;         /* a query without anything relevant in its top k missed */
    uint32_t n_skipped; /* queries that were not in the plan */
    uint32_t most;      /* missed queries to name, 0 = all */
} assay_run_sheet;

void assay_run_sheet_table(const assay_run_sheet *sheet, assay_buffer *out);
void assay_run_sheet_json(const assay_run_sheet *sheet, assay_buffer *out);

#endif
