/* SPDX-License-Identifier: Apache-2.0 */
/* The grids that the writers for people share: totals, counts, queries, slices. */
#ifndef ASSAY_REPORT_SHEETS_H
#define ASSAY_REPORT_SHEETS_H

#include "report/grid.h"
#include "report/report.h"

/* Each fills an empty grid; clear it afterwards. */
void assay_sheet_totals(const assay_report *report, assay_grid *grid);
void assay_sheet_counts(const assay_report *report, assay_grid *grid);
void assay_sheet_queries(const assay_report *report, const assay_report_run *run,
                         assay_grid *grid);
void assay_sheet_slices(const assay_report *report, const assay_report_run *run,
                        assay_grid *grid);

/* Who should have refused, and who did: two rows for each run with answers.  Returns false,
 * and leaves the grid empty, where there is nothing to show: no run has answers that were
 * measured, or the golden set has no query that should be refused. */
bool assay_sheet_refusals(const assay_report *report, assay_grid *grid);

/* Lines on what the numbers do not show: missing and failed queries by name, notes. */
typedef void assay_sheet_line(assay_buffer *out, const char *line);
void assay_sheet_notes(const assay_report *report, assay_sheet_line *line,
                       assay_buffer *out);

/* How a writer for people sets headings, grids and notes. */
typedef struct assay_sheet_style {
    const char *heading; /* before a heading: "## " */
    const char *notes;   /* heading of the notes, "" = none */
    void (*grid)(const assay_grid *grid, assay_buffer *out);
    assay_sheet_line *line;
} assay_sheet_style;

/* Everything below the title: totals, counts, slices, queries, notes. */
void assay_sheet_body(const assay_report *report, const assay_sheet_style *style,
                      assay_buffer *out);

/* A name and a number out of assay_counts, in the order reports show them; false past
 * the end. */
typedef struct assay_count {
    const char *key;   /* for machines */
    const char *words; /* for people */
    uint64_t value;
    bool is_always; /* shown even where it is 0 */
} assay_count;
bool assay_sheet_count(const assay_counts *counts, size_t i, assay_count *out);

#endif
