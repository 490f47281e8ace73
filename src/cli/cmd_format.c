/* SPDX-License-Identifier: Apache-2.0 */
/* assay format list|show: what golden sets and runs can be read and written. */
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "golden/golden.h"
#include "run/run.h"

static const assay_option list_options[] = {
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static const assay_option show_options[] = {
    {'o', "output", ASSAY_OPTION_TEXT, "FILE", NULL, "write to FILE"},
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* One line of either roster. */
typedef struct entry {
    const char *kind;
    const char *name;
    const char *summary;
    const char *details; /* or null */
    bool is_written;
} entry;

/* The i-th format of both rosters; false past the end. */
static bool entry_at(size_t i, entry *out)
{
    const assay_golden_format *golden;
    const assay_run_format *run;
    size_t n_golden = 0;

    while (assay_golden_format_at(n_golden))
        n_golden++;
    golden = assay_golden_format_at(i);
    if (golden) {
        *out = (entry){.kind = "golden",
                       .name = golden->name,
                       .summary = golden->summary,
                       .is_written = golden->write != NULL};
        return true;
    }
    run = assay_run_format_at(i - n_golden);
    if (!run)
        return false;
    *out = (entry){.kind = "run",
                   .name = run->name,
                   .summary = run->summary,
                   .details = run->details,
                   .is_written = run->write != NULL};
    return true;
}

static void put_table(assay_buffer *out)
{
    entry e;

    assay_buffer_printf(out, "%-6s  %-9s  %-7s  %s\n", "kind", "name", "written", "what");
    for (size_t i = 0; entry_at(i, &e); i++)
        assay_buffer_printf(out, "%-6s  %-9s  %-7s  %s\n", e.kind, e.name,
                            e.is_written ? "yes" : "no", e.summary);
}

static void put_json(assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);
    entry e;

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.formats/1");
    assay_json_key(&w, "formats");
    assay_json_list(&w);
    for (size_t i = 0; entry_at(i, &e); i++) {
        assay_json_flat_object(&w);
        assay_json_key(&w, "kind");
        assay_json_text(&w, e.kind);
        assay_json_key(&w, "name");
        assay_json_text(&w, e.name);
        assay_json_key(&w, "written");
        assay_json_bool(&w, e.is_written);
        assay_json_key(&w, "summary");
        assay_json_text(&w, e.summary);
        assay_json_object_end(&w);
    }
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status run_list(assay_cli *cli, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (strcmp(assay_cli_format(cli, "table"), "json") == 0)
        put_json(&out);
    else
        put_table(&out);
    st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static void put_entry(assay_buffer *out, const entry *e)
{
    assay_buffer_printf(out, "%s (%s): %s\n", e->name, e->kind, e->summary);
    assay_buffer_printf(out, "  %s\n", e->is_written ? "read and written" : "only read");
    if (e->details)
        assay_buffer_printf(out, "%s\n", e->details);
}

static assay_status run_show(assay_cli *cli, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;
    bool is_known = false;
    entry e;

    for (size_t i = 0; entry_at(i, &e); i++) {
        if (strcmp(e.name, cli->arg[0]) != 0)
            continue;
        if (is_known)
            assay_buffer_char(&out, '\n');
        is_known = true;
        put_entry(&out, &e);
    }
    st = is_known ? assay_cli_emit(cli, &out, err)
                  : assay_fail(err, ASSAY_EUSAGE,
                               "no format '%.80s'; see 'assay format list'", cli->arg[0]);
    assay_buffer_clear(&out);
    return st;
}

const assay_command assay_command_format_list = {
    .name = "format list",
    .args = "",
    .summary = "formats of golden sets and runs",
    .details = "Formats are recognised by content; --from names one where that fails.",
    .option = list_options,
    .run = run_list,
};

const assay_command assay_command_format_show = {
    .name = "format show",
    .args = "NAME",
    .summary = "what a format looks like, and whether it is written",
    .example = "assay format show kebab",
    .option = show_options,
    .min_args = 1,
    .max_args = 1,
    .run = run_show,
};
