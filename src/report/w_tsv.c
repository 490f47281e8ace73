/* SPDX-License-Identifier: Apache-2.0 */
/* tsv: made for scripts.  No head, full precision, nothing where there is no value:
 *
 *     run<TAB>measure<TAB>value
 *     run<TAB>query<TAB>measure<TAB>value     with -q, these instead
 */
#include <math.h>

#include "report/report.h"

/* A field may hold no tab and no line break. */
static void field(assay_buffer *out, assay_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        assay_buffer_char(out, s.ptr[i] == '\t' || s.ptr[i] == '\n' || s.ptr[i] == '\r'
                                   ? ' '
                                   : s.ptr[i]);
    assay_buffer_char(out, '\t');
}

static void value(assay_buffer *out, double v)
{
    if (!isnan(v))
        assay_buffer_double(out, v);
    assay_buffer_char(out, '\n');
}

static void write_queries(const assay_report_run *run, assay_buffer *out)
{
    const assay_scores *s = run->scores;

    for (uint32_t r = 0; r < s->n_rows; r++)
        for (uint32_t c = 0; c < s->n_columns; c++) {
            assay_buffer_printf(out, "%s\t", run->name);
            field(out, s->row[r].id);
            assay_buffer_printf(out, "%s\t", s->column[c].name);
            value(out, *assay_scores_cell(s, r, c));
        }
}

static void write_tsv(const assay_report *report, assay_buffer *out)
{
    for (uint32_t r = 0; r < report->n_runs; r++) {
        const assay_report_run *run = &report->run[r];

        if (report->with_queries) {
            write_queries(run, out);
            continue;
        }
        for (uint32_t c = 0; c < run->scores->n_columns; c++) {
            assay_buffer_printf(out, "%s\t%s\t", run->name, run->scores->column[c].name);
            value(out, run->scores->total[c].value);
        }
    }
}

const assay_writer assay_writer_tsv = {
    .name = "tsv",
    .summary = "run, measure, value, for scripts",
    .write = write_tsv,
};
