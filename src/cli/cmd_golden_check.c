/* SPDX-License-Identifier: Apache-2.0 */
/* assay golden check: is this a golden set, and what is in it? */
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/slice.h"
#include "cli/golden_arg.h"
#include "cli/holds.h"
#include "golden/resolve.h"
#include "report/resolution_report.h"

static const assay_option options[] = {
    ASSAY_OPTIONS_GOLDEN,
    {0, "strict", ASSAY_OPTION_FLAG, NULL, NULL,
     "a warning, or a judgment that is stale, fails the check"},
    {0, "threads", ASSAY_OPTION_COUNT, "N", NULL, "default one for each core"},
    ASSAY_OPTIONS_CORPUS,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* What the check reports. */
typedef struct counts {
    uint32_t by_label[ASSAY_N_LABELS]; /* drafts excluded */
    uint32_t n_drafts;
    uint32_t n_without_text;
    uint32_t n_judgments;
    uint32_t n_relevant;
    uint32_t n_quotes;
    const char *verdict; /* null: all is well */
    const char *corpus;  /* null: nothing was looked up */
    assay_resolution resolution;
} counts;

static counts count(const assay_golden *golden)
{
    counts c = {.verdict = NULL};

    for (uint32_t i = 0; i < golden->n_queries; i++) {
        const assay_query *q = &golden->query[i];

        c.n_drafts += q->is_draft;
        c.by_label[q->label] += !q->is_draft;
        c.n_without_text += q->text.len == 0;
        c.n_judgments += q->n_judgments;
        for (uint32_t j = 0; j < q->n_judgments; j++) {
            c.n_relevant += q->judgment[j].grade > 0;
            c.n_quotes += q->judgment[j].quote.len > 0;
        }
    }
    return c;
}

/* Formats that say it when they are read have said it already. */
static bool add_warnings(assay_golden *golden, const counts *c)
{
    uint32_t n = golden->n_queries - c->n_drafts;

    return golden->format->says_few || n >= ASSAY_GOLDEN_FEW ||
           assay_notes_add(&golden->notes, &golden->arena,
                           "only %u %s: nothing can be concluded from so few", n,
                           n == 1 ? "query" : "queries");
}

static const char *judge(const assay_golden *golden, const counts *c, bool is_strict)
{
    if (!c->by_label[ASSAY_LABEL_LABELLED] && c->by_label[ASSAY_LABEL_STALE])
        return "no labelled query has anything left in the corpus";
    if (!c->by_label[ASSAY_LABEL_LABELLED])
        return "no query is labelled, so retrieval cannot be measured";
    if (is_strict && assay_resolution_stale(&c->resolution))
        return "there are stale judgments, and --strict was given";
    if (is_strict && golden->notes.n)
        return "there are warnings, and --strict was given";
    return NULL;
}

static void print_text(const assay_golden *golden, const counts *c, bool is_verbose,
                       assay_buffer *out)
{
    assay_buffer_printf(out, "file            %s\nformat          %s\n", golden->path,
                        golden->format->name);
    if (golden->name.len)
        assay_buffer_printf(out, "name            %.*s\n", (int)golden->name.len,
                            golden->name.ptr);
    assay_buffer_printf(out, "queries         %u\n", golden->n_queries);
    for (size_t i = 0; i < ASSAY_N_LABELS; i++)
        if (c->by_label[i])
            assay_buffer_printf(out, "  %-14s%u\n", assay_label_name((assay_label)i),
                                c->by_label[i]);
    if (c->n_drafts)
        assay_buffer_printf(out, "  draft         %u\n", c->n_drafts);
    if (c->n_without_text)
        assay_buffer_printf(out, "  without text  %u\n", c->n_without_text);
    assay_buffer_printf(out, "judgments       %u\n  relevant      %u\n", c->n_judgments,
                        c->n_relevant);
    if (c->n_quotes)
        assay_buffer_printf(out, "  with a quote  %u\n", c->n_quotes);
    if (c->corpus)
        assay_resolution_table(&c->resolution, golden, c->corpus, is_verbose, out);
    assay_buffer_printf(out, "warnings        %zu\n", golden->notes.n);
    assay_buffer_printf(out, "%s\n", c->verdict ? c->verdict : "ok");
}

static void put_count(assay_json_writer *w, const char *key, uint32_t n)
{
    assay_json_key(w, key);
    assay_json_int(w, n);
}

static void print_json(const assay_golden *golden, const counts *c, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.golden-check/1");
    assay_json_key(&w, "file");
    assay_json_text(&w, golden->path);
    assay_json_key(&w, "format");
    assay_json_text(&w, golden->format->name);
    assay_json_key(&w, "name");
    assay_json_string(&w, golden->name);
    put_count(&w, "queries", golden->n_queries);
    assay_json_key(&w, "labels");
    assay_json_flat_object(&w);
    for (size_t i = 0; i < ASSAY_N_LABELS; i++)
        put_count(&w, assay_label_name((assay_label)i), c->by_label[i]);
    assay_json_object_end(&w);
    put_count(&w, "drafts", c->n_drafts);
    put_count(&w, "without_text", c->n_without_text);
    put_count(&w, "judgments", c->n_judgments);
    put_count(&w, "relevant", c->n_relevant);
    put_count(&w, "quotes", c->n_quotes);
    assay_json_key(&w, "warnings");
    assay_json_list(&w);
    for (size_t i = 0; i < golden->notes.n; i++)
        assay_json_text(&w, golden->notes.text[i]);
    assay_json_list_end(&w);
    if (c->corpus)
        assay_resolution_json(&c->resolution, golden, c->corpus, &w);
    assay_json_key(&w, "ok");
    assay_json_bool(&w, !c->verdict);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

/* Look the judgments up, where --corpus says where. */
static assay_status look_up(assay_cli *cli, assay_golden *golden, const char **corpus,
                            assay_resolution *out, assay_error *err)
{
    const char *name = assay_cli_text(cli, "corpus");
    const assay_trace_options o = {
        .n_threads = (uint32_t)assay_cli_count(cli, "threads", 0), .with_lines = true};
    assay_workspace ws;
    assay_status st;

    if (!name)
        return ASSAY_OK;
    st = assay_workspace_open(cli, &ws, err);
    if (st)
        return st;
    st = assay_workspace_corpus(&ws, name, corpus, err);
    if (!st)
        st = assay_resolve(golden, *corpus, &o, out, err);
    if (!st)
        st = assay_hold_golden(&ws, golden, *corpus, err);
    assay_workspace_close(&ws);
    return st;
}

static assay_status report(assay_cli *cli, assay_golden *golden, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    const char *corpus = NULL;
    assay_resolution resolution = {0};
    assay_status st = look_up(cli, golden, &corpus, &resolution, err);
    counts c;

    if (st)
        return st;
    c = count(golden);
    c.corpus = corpus;
    c.resolution = resolution;
    if (!add_warnings(golden, &c))
        return assay_fail_memory(err, "checking a golden set");
    c.verdict = judge(golden, &c, assay_cli_flag(cli, "strict"));
    assay_cli_warn_notes(cli, &golden->notes);
    if (strcmp(assay_cli_format(cli, "table"), "json") == 0)
        print_json(golden, &c, &out);
    else
        print_text(golden, &c, cli->is_verbose, &out);
    st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    if (!st && c.verdict)
        return assay_fail(err, ASSAY_NO, "%s: %s", golden->path, c.verdict);
    return st;
}

static assay_status run_check(assay_cli *cli, assay_error *err)
{
    assay_golden *golden;
    assay_status st =
        assay_golden_arg_load(cli, cli->n_args ? cli->arg[0] : NULL, false, &golden, err);

    if (st)
        return st;
    st = report(cli, golden, err);
    assay_golden_free(golden);
    return st;
}

const assay_command assay_command_golden_check = {
    .name = "golden check",
    .args = "[FILE]",
    .summary = "read a golden set and say what is in it",
    .details =
        "The format is recognised by content. A malformed file is an error that names "
        "the line (exit 3). The check fails (exit 1) when no query is labelled, and "
        "with --strict when there are warnings.\n\n"
        "With --corpus every judgment is looked for in the corpus: resolved, moved, "
        "ambiguous (at several places of its document) or lost. Those that are not "
        "resolved are listed, with --verbose all of them. Stale judgments are left out "
        "by 'assay eval'; with --strict they fail the check. The corpus notes which "
        "chunkings the chunk ids of this set are of: 'assay corpus prune' keeps them.",
    .example = "assay golden check golden.yaml\n"
               "assay golden check golden.yaml --corpus main --strict\n"
               "assay golden check qrels.txt --topics topics.txt --strict",
    .option = options,
    .max_args = 1,
    .run = run_check,
};
