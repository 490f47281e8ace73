/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison for people and for machines. */
#ifndef ASSAY_REPORT_COMPARE_REPORT_H
#define ASSAY_REPORT_COMPARE_REPORT_H

#include "compare/comparison.h"
#include "report/grid.h"

typedef struct assay_compare_view {
    const assay_comparison *comparison;
    bool with_queries; /* every query, draws too */
} assay_compare_view;

typedef struct assay_compare_writer {
    const char *name; /* "table", "md", "json", "csv" */
    void (*write)(const assay_compare_view *view, assay_buffer *out);
} assay_compare_writer;

/* Null where there is no such format. */
const assay_compare_writer *assay_compare_writer_find(const char *name);

/* ---- what the writers for people share ---- */

/* Each fills an empty grid; clear it afterwards. */
void assay_compare_deltas(const assay_comparison *c, const assay_run_pair *pair,
                          bool has_marks, assay_grid *grid);
typedef struct assay_compare_rows {
    bool has_marks;
    bool with_draws; /* those without a word to say as well */
    uint32_t most;   /* 0 = no limit */
} assay_compare_rows;
/* Returns how many were left out because of the limit. */
uint32_t assay_compare_changes(const assay_comparison *c, const assay_run_pair *pair,
                               const assay_compare_rows *rows, assay_grid *grid);
void assay_compare_differs(const assay_comparison *c, const assay_run_pair *pair,
                           assay_grid *grid);
void assay_compare_answers(const assay_run_pair *pair, assay_grid *grid);
uint32_t assay_compare_answer_rows(const assay_comparison *c, const assay_run_pair *pair,
                                   uint32_t most, assay_grid *grid);
void assay_compare_excluded(const assay_comparison *c, assay_grid *grid);
void assay_compare_reasons(const assay_comparison *c, assay_grid *grid);
void assay_compare_slices(const assay_comparison *c, const assay_run_pair *pair,
                          assay_grid *grid);

/* Three runs and more: each against the first, in one table. */
void assay_compare_overview(const assay_comparison *c, bool has_marks, assay_grid *grid);

/* All pairs by Tukey's test, for one measure. */
void assay_compare_tukey(const assay_comparison *c, uint32_t measure, assay_grid *grid);

/* Whether changes() with these settings shows the query. */
bool assay_compare_shows(const assay_query_change *q, bool with_draws);

/* One line on what was compared: core, match, level, depth, conventions. */
void assay_compare_head(const assay_comparison *c, assay_buffer *out);

/* One line on the statistics. */
void assay_compare_method(const assay_comparison *c, assay_buffer *out);

/* p with as many digits as it deserves, "-" where there is none. */
void assay_compare_p(double p, char *text, size_t size);

/* ---- the writers ---- */

void assay_compare_write_table(const assay_compare_view *view, assay_buffer *out);
void assay_compare_write_md(const assay_compare_view *view, assay_buffer *out);
void assay_compare_write_json(const assay_compare_view *view, assay_buffer *out);
void assay_compare_write_csv(const assay_compare_view *view, assay_buffer *out);

#endif
