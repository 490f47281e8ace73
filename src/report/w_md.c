/* SPDX-License-Identifier: Apache-2.0 */
/* md: Markdown tables. */
#include "report/report.h"
#include "report/sheets.h"

static void print_grid(assay_grid *grid, assay_buffer *out)
{
    assay_grid_markdown(grid, out);
    assay_grid_clear(grid);
}

static void line(assay_buffer *out, const char *text)
{
    assay_buffer_printf(out, "- %s\n", text);
}

static void write_md(const assay_report *report, assay_buffer *out)
{
    assay_grid grid;
    size_t before;
    size_t head;

    assay_buffer_printf(out,
                        "# Evaluation\n\nGolden set `%s`, level %s, conventions %s.\n\n",
                        report->golden->path ? report->golden->path : "-",
                        assay_level_word(report->level), report->conventions->name);
    assay_sheet_totals(report, &grid);
    print_grid(&grid, out);
    assay_buffer_char(out, '\n');
    assay_sheet_counts(report, &grid);
    print_grid(&grid, out);
    for (uint32_t r = 0; r < report->n_runs; r++) {
        const assay_report_run *run = &report->run[r];

        if (run->slices.key) {
            assay_buffer_printf(out, "\n## %s by %s\n\n", run->name, run->slices.key);
            assay_sheet_slices(report, run, &grid);
            print_grid(&grid, out);
        }
        if (report->with_queries) {
            assay_buffer_printf(out, "\n## %s\n\n", run->name);
            assay_sheet_queries(report, run, &grid);
            print_grid(&grid, out);
        }
    }
    before = out->len;
    assay_buffer_text(out, "\n## Notes\n\n");
    head = out->len;
    assay_sheet_notes(report, line, out);
    if (out->len == head)
        out->len = before;
}

const assay_writer assay_writer_md = {
    .name = "md",
    .summary = "Markdown tables",
    .write = write_md,
};
