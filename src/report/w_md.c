/* SPDX-License-Identifier: Apache-2.0 */
/* md: Markdown tables. */
#include "report/report.h"
#include "report/sheets.h"

static void line(assay_buffer *out, const char *text)
{
    assay_buffer_printf(out, "- %s\n", text);
}

static void write_md(const assay_report *report, assay_buffer *out)
{
    static const assay_sheet_style style = {
        .heading = "## ",
        .notes = "## Notes\n\n",
        .grid = assay_grid_markdown,
        .line = line,
    };

    assay_buffer_printf(out,
                        "# Evaluation\n\nGolden set `%s`, level %s, conventions %s.\n\n",
                        report->golden->path ? report->golden->path : "-",
                        assay_level_word(report->level), report->conventions->name);
    assay_sheet_body(report, &style, out);
}

const assay_writer assay_writer_md = {
    .name = "md",
    .summary = "Markdown tables",
    .write = write_md,
};
