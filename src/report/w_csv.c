/* SPDX-License-Identifier: Apache-2.0 */
/* csv: RFC 4180, full precision, an empty field where there is no value. */
#include <math.h>

#include "base/number.h"
#include "report/grid.h"
#include "report/report.h"

static void put(assay_grid *grid, double v)
{
    char text[ASSAY_NUMBER_TEXT] = "";

    if (!isnan(v))
        assay_number_print(v, text);
    assay_grid_text(grid, text);
}

static void heads(assay_grid *grid, const char *const *head, uint32_t n)
{
    *grid = (assay_grid){.n_columns = n};
    for (uint32_t i = 0; i < n; i++)
        assay_grid_text(grid, head[i]);
}

static void write_totals(const assay_report *report, assay_grid *grid)
{
    static const char *const head[] = {"run",    "measure", "level", "value", "n",
                                       "absent", "spread",  "low",   "high"};

    heads(grid, head, sizeof head / sizeof head[0]);
    for (uint32_t r = 0; r < report->n_runs; r++)
        for (uint32_t c = 0; c < report->run[r].scores->n_columns; c++) {
            const assay_column *column = &report->run[r].scores->column[c];
            const assay_total *t = &report->run[r].scores->total[c];

            assay_grid_text(grid, report->run[r].name);
            assay_grid_text(grid, column->name);
            assay_grid_text(grid,
                            column->has_level ? assay_level_word(column->level) : "");
            put(grid, t->value);
            put(grid, t->n);
            put(grid, t->absent);
            put(grid, t->spread);
            put(grid, t->low);
            put(grid, t->high);
        }
}

static void write_queries(const assay_report *report, assay_grid *grid)
{
    static const char *const head[] = {"run", "query", "measure", "value"};

    heads(grid, head, sizeof head / sizeof head[0]);
    for (uint32_t r = 0; r < report->n_runs; r++) {
        const assay_scores *s = report->run[r].scores;

        for (uint32_t i = 0; i < s->n_rows; i++)
            for (uint32_t c = 0; c < s->n_columns; c++) {
                assay_grid_text(grid, report->run[r].name);
                assay_grid_add(grid, s->row[i].id);
                assay_grid_text(grid, s->column[c].name);
                put(grid, *assay_scores_cell(s, i, c));
            }
    }
}

static void write_slices(const assay_report *report, assay_grid *grid)
{
    static const char *const head[] = {"run", "key", "slice", "measure", "value", "n"};

    heads(grid, head, sizeof head / sizeof head[0]);
    for (uint32_t r = 0; r < report->n_runs; r++) {
        const assay_report_run *run = &report->run[r];

        for (uint32_t i = 0; i < run->slices.n; i++)
            for (uint32_t c = 0; c < run->scores->n_columns; c++) {
                const assay_total *t =
                    &run->slices.total[(size_t)i * run->scores->n_columns + c];

                assay_grid_text(grid, run->name);
                assay_grid_text(grid, run->slices.key);
                assay_grid_add(grid, run->slices.value[i]);
                assay_grid_text(grid, run->scores->column[c].name);
                put(grid, t->value);
                put(grid, t->n);
            }
    }
}

static void write_csv(const assay_report *report, assay_buffer *out)
{
    assay_grid grid;

    if (report->with_queries)
        write_queries(report, &grid);
    else if (report->run[0].slices.key)
        write_slices(report, &grid);
    else
        write_totals(report, &grid);
    assay_grid_csv(&grid, out);
    assay_grid_clear(&grid);
}

const assay_writer assay_writer_csv = {
    .name = "csv",
    .summary = "comma separated values, RFC 4180",
    .write = write_csv,
};
