/* SPDX-License-Identifier: Apache-2.0 */
/* table: for people, in a terminal.  Measures down, runs across. */
#include "report/report.h"
#include "report/sheets.h"

static void line(assay_buffer *out, const char *text)
{
    assay_buffer_printf(out, "%s\n", text);
}

static void write_table(const assay_report *report, assay_buffer *out)
{
    static const assay_sheet_style style = {
        .heading = "",
        .notes = "",
        .grid = assay_grid_print,
        .line = line,
    };

    assay_buffer_printf(out, "golden %s, level %s, conventions %s\n\n",
                        report->golden->path ? report->golden->path : "-",
                        assay_level_word(report->level), report->conventions->name);
    assay_sheet_body(report, &style, out);
}

const assay_writer assay_writer_table = {
    .name = "table",
    .summary = "columns for a terminal",
    .write = write_table,
};
