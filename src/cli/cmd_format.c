/* SPDX-License-Identifier: Apache-2.0 */
/* assay format list|show: what golden sets, runs and documents can be read and written. */
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "corpus/document.h"
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

/* One line of the rosters. */
typedef struct entry {
    const char *kind;
    const char *name;
    const char *summary;
    const char *details; /* or null */
    const char *endings; /* of documents: "md|markdown", or null */
    bool is_written;
} entry;

static bool golden_at(size_t i, entry *out)
{
    const assay_golden_format *f = assay_golden_format_at(i);

    if (f)
        *out = (entry){.kind = "golden",
                       .name = f->name,
                       .summary = f->summary,
                       .is_written = f->write != NULL};
    return f != NULL;
}

static bool run_at(size_t i, entry *out)
{
    const assay_run_format *f = assay_run_format_at(i);

    if (f)
        *out = (entry){.kind = "run",
                       .name = f->name,
                       .summary = f->summary,
                       .details = f->details,
                       .is_written = f->write != NULL};
    return f != NULL;
}

static bool document_at(size_t i, entry *out)
{
    const assay_doc_reader *r = assay_doc_reader_at(i);

    if (r)
        *out = (entry){.kind = "document",
                       .name = r->name,
                       .summary = r->summary,
                       .endings = r->endings};
    return r != NULL;
}

/* The i-th format of all rosters; false past the end. */
static bool entry_at(size_t i, entry *out)
{
    static bool (*const roster[])(size_t, entry *) = {golden_at, run_at, document_at};

    for (size_t r = 0; r < ASSAY_COUNT(roster); r++) {
        size_t n = 0;

        if (roster[r](i, out))
            return true;
        while (roster[r](n, out))
            n++;
        i -= n;
    }
    return false;
}

static void put_table(assay_buffer *out)
{
    entry e;

    assay_buffer_printf(out, "%-8s  %-9s  %-7s  %s\n", "kind", "name", "written", "what");
    for (size_t i = 0; entry_at(i, &e); i++)
        assay_buffer_printf(out, "%-8s  %-9s  %-7s  %s\n", e.kind, e.name,
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
    if (e->endings) {
        assay_slice rest = assay_slice_of(e->endings);
        assay_slice ending;

        assay_buffer_text(out, "  files that end in");
        while (assay_slice_part(&rest, '|', &ending))
            assay_buffer_printf(out, " .%.*s", ASSAY_QUOTE(ending));
        assay_buffer_char(out, '\n');
    }
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
    .summary = "formats of golden sets, runs and documents",
    .details =
        "Golden sets and runs are recognised by content; --from names the format where "
        "that\nfails. Documents are known by ending, name and content.",
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
