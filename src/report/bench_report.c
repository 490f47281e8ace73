/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark for people: figures down, methods across, the best of each line marked. */
#include "report/bench_report.h"

#include <math.h>
#include <stdio.h>

#include "base/slice.h"
#include "report/grid.h"

static double value_of(const assay_bench_sheet *s, uint32_t method,
                       const assay_bench_line *line)
{
    return line->column == ASSAY_NONE
               ? NAN
               : s->method[method].scores->total[line->column].value;
}

/* Times need as many decimals as they are small. */
static void print_ms(char *text, size_t size, double ms)
{
    snprintf(text, size, ms < 10 ? "%.2f ms" : ms < 100 ? "%.1f ms" : "%.0f ms", ms);
}

/* A mark, or the room for one, so that the figures stand under each other. */
static void add_value(assay_grid *grid, const assay_bench_sheet *s, uint32_t method,
                      const assay_bench_line *line)
{
    double value = value_of(s, method, line);
    bool is_best = line->best == method && s->n_methods > 1;
    char text[40];

    if (isnan(value))
        snprintf(text, sizeof text, "n/a");
    else if (line->is_time)
        print_ms(text, sizeof text, value);
    else
        snprintf(text, sizeof text, "%.3f", value);
    assay_grid_printf(grid, "%s%s", text, is_best ? " *" : "  ");
}

static void make_totals(const assay_bench_sheet *s, assay_grid *grid)
{
    grid->n_columns = s->n_methods + 1;
    assay_grid_text(grid, "Metric");
    for (uint32_t m = 0; m < s->n_methods; m++) {
        grid->is_right[m + 1] = true;
        assay_grid_printf(grid, "%.*s  ", ASSAY_QUOTE(s->method[m].name));
    }
    for (uint32_t i = 0; i < s->n_lines; i++) {
        if (s->line[i].is_time && s->without_times)
            continue;
        assay_grid_text(grid, s->line[i].title);
        for (uint32_t m = 0; m < s->n_methods; m++)
            add_value(grid, s, m, &s->line[i]);
    }
    if (s->without_times)
        return;
    assay_grid_text(grid, "index time");
    for (uint32_t m = 0; m < s->n_methods; m++) {
        char text[40];

        print_ms(text, sizeof text, s->method[m].index_ms);
        assay_grid_printf(grid, "%s  ", text);
    }
}

/* Rank of the first relevant hit for each query and method. */
static void make_queries(const assay_bench_sheet *s, assay_grid *grid)
{
    const assay_scores *first = s->method[0].scores;

    grid->n_columns = s->n_methods + 2;
    assay_grid_text(grid, "query");
    for (uint32_t m = 0; m < s->n_methods; m++) {
        grid->is_right[m + 1] = true;
        assay_grid_add(grid, s->method[m].name);
    }
    assay_grid_text(grid, "text");
    for (uint32_t r = 0; r < first->n_rows; r++) {
        assay_grid_add(grid, first->row[r].id);
        for (uint32_t m = 0; m < s->n_methods; m++) {
            const assay_row *row = &s->method[m].scores->row[r];

            if (row->is_failed)
                assay_grid_text(grid, "failed");
            else if (row->first_rank)
                assay_grid_printf(grid, "%u", row->first_rank);
            else
                assay_grid_text(grid, "-");
        }
        assay_grid_add(grid, s->golden->query[first->row[r].query].text);
    }
}

static uint32_t n_failed(const assay_bench_sheet *s)
{
    uint32_t n = 0;

    for (uint32_t m = 0; m < s->n_methods; m++)
        n += s->method[m].scores->counts.failed;
    return n;
}

static void add_title(const assay_bench_sheet *s, assay_buffer *out)
{
    const assay_counts *c = &s->method[0].scores->counts;

    assay_buffer_printf(out,
                        "%s: %u passages, %u queries (%u labelled); level %s, "
                        "conventions %s, queries with nothing relevant: %s\n",
                        s->golden->path ? s->golden->path : "-", s->n_passages, c->total,
                        c->labelled, assay_level_word(s->method[0].scores->level),
                        s->conventions->name, s->empty);
}

void assay_bench_table(const assay_bench_sheet *sheet, assay_buffer *out)
{
    assay_grid grid = {.n_columns = 0};

    add_title(sheet, out);
    assay_buffer_char(out, '\n');
    make_totals(sheet, &grid);
    assay_grid_print(&grid, out);
    assay_grid_clear(&grid);
    if (sheet->n_methods > 1)
        assay_buffer_text(out, "\n* best of the line\n");
    if (sheet->with_queries) {
        assay_buffer_text(out, "\nRank of the first relevant hit\n\n");
        make_queries(sheet, &grid);
        assay_grid_print(&grid, out);
        assay_grid_clear(&grid);
    }
    if (n_failed(sheet))
        assay_buffer_printf(out, "\n%u queries failed\n", n_failed(sheet));
}

void assay_bench_markdown(const assay_bench_sheet *sheet, assay_buffer *out)
{
    assay_grid grid = {.n_columns = 0};

    assay_buffer_text(out, "# Retrieval benchmark\n\n");
    add_title(sheet, out);
    assay_buffer_char(out, '\n');
    make_totals(sheet, &grid);
    assay_grid_markdown(&grid, out);
    assay_grid_clear(&grid);
    assay_buffer_text(out, "\n");
    for (uint32_t m = 0; m < sheet->n_methods; m++)
        assay_buffer_printf(out, "* `%.*s`: %s\n", ASSAY_QUOTE(sheet->method[m].name),
                            sheet->method[m].identity);
    if (sheet->with_queries) {
        assay_buffer_text(out, "\n## Rank of the first relevant hit\n\n");
        make_queries(sheet, &grid);
        assay_grid_markdown(&grid, out);
        assay_grid_clear(&grid);
    }
    if (sheet->notes->n)
        assay_buffer_text(out, "\n## Notes\n\n");
    for (size_t i = 0; i < sheet->notes->n; i++)
        assay_buffer_printf(out, "* %s\n", sheet->notes->text[i]);
}

/* ---- CSV ---- */

static void add_number(assay_grid *grid, double value)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    if (!isnan(value))
        assay_buffer_double(&text, value);
    /* Python's way, which readers of these files are used to: 1.0, not 1. */
    if (!isnan(value) && value == floor(value) && fabs(value) < 1e15)
        assay_buffer_text(&text, ".0");
    assay_grid_add(grid, assay_buffer_view(&text));
    assay_buffer_clear(&text);
}

void assay_bench_csv(const assay_bench_sheet *sheet, assay_buffer *out)
{
    assay_grid grid = {.n_columns = 3};

    assay_grid_text(&grid, "method");
    for (uint32_t i = 0; i < sheet->n_lines; i++) {
        if (sheet->line[i].is_time)
            continue;
        grid.n_columns++;
        assay_grid_text(&grid, sheet->line[i].key);
    }
    assay_grid_text(&grid, "test_cases");
    assay_grid_text(&grid, "backend");
    for (uint32_t m = 0; m < sheet->n_methods; m++) {
        assay_grid_add(&grid, sheet->method[m].name);
        for (uint32_t i = 0; i < sheet->n_lines; i++)
            if (!sheet->line[i].is_time)
                add_number(&grid, value_of(sheet, m, &sheet->line[i]));
        assay_grid_printf(&grid, "%u", sheet->method[m].scores->counts.total);
        assay_grid_text(&grid, sheet->method[m].backend ? sheet->method[m].backend : "");
    }
    assay_grid_csv(&grid, out);
    assay_grid_clear(&grid);
}
