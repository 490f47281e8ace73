/* SPDX-License-Identifier: Apache-2.0 */
/* assay baseline set|show|list|clear: names for the runs that others are held against. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/baseline_arg.h"
#include "cli/corpus_arg.h"
#include "report/grid.h"

static const assay_option set_options[] = {
    {0, "name", ASSAY_OPTION_TEXT, "NAME", NULL, "what it is called (main)"},
    {0, "note", ASSAY_OPTION_TEXT, "TEXT", NULL, "why"},
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static const assay_option plain_options[] = {
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static const char *name_of(const assay_cli *cli)
{
    return cli->n_args ? cli->arg[0] : ASSAY_BASELINE_NAME;
}

/* ---- shown ---- */

/* A baseline with its run. */
typedef struct shown {
    assay_stored_baseline baseline;
    assay_stored run;
} shown;

static void put_json(const shown *s, assay_json_writer *w)
{
    assay_json_name(w, "name", s->baseline.name);
    assay_json_known(w, "note", s->baseline.note);
    assay_json_name(w, "set_at", s->baseline.created_at);
    assay_json_key(w, "run");
    assay_json_object(w);
    assay_runs_json(&s->run, w);
    assay_json_object_end(w);
}

static void put_table(const shown *list, uint32_t n, assay_buffer *out)
{
    static const char *const head[] = {"name",   "run",     "made",
                                       "method", "queries", "note"};
    assay_grid grid = {.n_columns = ASSAY_COUNT(head)};

    grid.is_right[4] = true;
    for (size_t i = 0; i < ASSAY_COUNT(head); i++)
        assay_grid_text(&grid, head[i]);
    for (uint32_t i = 0; i < n; i++) {
        const shown *s = &list[i];
        char when[20];

        assay_runs_when(s->run.created_at, when);
        assay_grid_add(&grid, s->baseline.name);
        assay_grid_add(&grid, s->run.run_id);
        assay_grid_text(&grid, when);
        assay_grid_add(&grid, s->run.method);
        assay_grid_printf(&grid, "%u", s->run.n_done);
        assay_grid_add(&grid, s->baseline.note);
    }
    out->has_failed = out->has_failed || grid.has_failed;
    assay_grid_print(&grid, out);
    assay_grid_clear(&grid);
}

static assay_status print_one(const assay_cli *cli, const shown *s, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_json_writer w = assay_json_writer_of(&out, 2);
    assay_status st;

    if (strcmp(assay_cli_format(cli, "table"), "json") == 0) {
        assay_json_object(&w);
        assay_json_name(&w, "schema", ASSAY_LIT("assay.baseline/1"));
        put_json(s, &w);
        assay_json_object_end(&w);
        assay_buffer_char(&out, '\n');
    } else {
        put_table(s, 1, &out);
    }
    st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status print_list(const assay_cli *cli, const shown *list, uint32_t n,
                               assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_json_writer w = assay_json_writer_of(&out, 2);
    assay_status st;

    if (strcmp(assay_cli_format(cli, "table"), "json") == 0) {
        assay_json_object(&w);
        assay_json_name(&w, "schema", ASSAY_LIT("assay.baselines/1"));
        assay_json_key(&w, "baselines");
        assay_json_list(&w);
        for (uint32_t i = 0; i < n; i++) {
            assay_json_object(&w);
            put_json(&list[i], &w);
            assay_json_object_end(&w);
        }
        assay_json_list_end(&w);
        assay_json_object_end(&w);
        assay_buffer_char(&out, '\n');
    } else if (n) {
        put_table(list, n, &out);
    } else {
        assay_buffer_text(&out, "no baselines; 'assay baseline set RUN' makes one\n");
    }
    st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

/* ---- set ---- */

static assay_status run_set(assay_cli *cli, assay_error *err)
{
    const char *name = assay_cli_text(cli, "name");
    assay_runs_arg arg;
    shown s = {0};
    assay_status st = assay_runs_open(cli, ASSAY_STORE_WRITE, &arg, err);

    if (st)
        return st;
    st = assay_store_find(arg.store, cli->arg[0], &cli->arena, &s.run, err);
    if (!st)
        st =
            assay_baseline_arg_set(cli, arg.store, name ? name : ASSAY_BASELINE_NAME,
                                   assay_cli_text(cli, "note"), &s.run, &s.baseline, err);
    if (!st)
        st = print_one(cli, &s, err);
    assay_runs_close(&arg);
    return st;
}

/* ---- show, list, clear ---- */

static assay_status run_show(assay_cli *cli, assay_error *err)
{
    assay_runs_arg arg;
    shown s = {0};
    assay_status st = assay_runs_open(cli, ASSAY_STORE_READ, &arg, err);

    if (st)
        return st;
    st = assay_baseline_arg_find(cli, arg.store, name_of(cli), &s.baseline, err);
    if (!st)
        st = assay_store_get(arg.store, s.baseline.run_id, &cli->arena, &s.run, err);
    if (!st)
        st = print_one(cli, &s, err);
    assay_runs_close(&arg);
    return st;
}

static assay_status run_list(assay_cli *cli, assay_error *err)
{
    assay_stored_baseline *b = NULL;
    assay_runs_arg arg;
    shown *list = NULL;
    uint32_t n = 0;
    assay_status st = assay_runs_open(cli, ASSAY_STORE_READ, &arg, err);

    if (st)
        return st;
    st = assay_store_baselines(arg.store, &cli->arena, &b, &n, err);
    if (!st) {
        list = ASSAY_ARENA_ARRAY(&cli->arena, shown, n + 1u);
        st = list ? ASSAY_OK : assay_fail_memory(err, "listing baselines");
    }
    for (uint32_t i = 0; !st && i < n; i++) {
        list[i].baseline = b[i];
        st = assay_store_get(arg.store, b[i].run_id, &cli->arena, &list[i].run, err);
    }
    if (!st)
        st = print_list(cli, list, n, err);
    assay_runs_close(&arg);
    return st;
}

static assay_status run_clear(assay_cli *cli, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_json_writer w = assay_json_writer_of(&out, 2);
    const assay_slice name = assay_slice_of(name_of(cli));
    assay_runs_arg arg;
    assay_status st = assay_runs_open(cli, ASSAY_STORE_WRITE, &arg, err);

    if (st)
        return st;
    st = assay_store_clear_baseline(arg.store, name, err);
    if (!st && strcmp(assay_cli_format(cli, "table"), "json") == 0) {
        assay_json_object(&w);
        assay_json_name(&w, "schema", ASSAY_LIT("assay.baseline-clear/1"));
        assay_json_name(&w, "cleared", name);
        assay_json_object_end(&w);
        assay_buffer_char(&out, '\n');
    } else if (!st) {
        assay_buffer_printf(&out, "baseline '%.*s' is no more; its run stays\n",
                            ASSAY_QUOTE(name));
    }
    if (!st)
        st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    assay_runs_close(&arg);
    return st;
}

const assay_command assay_command_baseline_set = {
    .name = "baseline set",
    .args = "RUN",
    .summary = "let a stored run be what others are held against",
    .details =
        "A name that is taken moves to the new run.  'assay baseline bless' shows the\n"
        "differences first.",
    .example = "  assay baseline set latest --note 'after the new chunker'\n"
               "  assay baseline set run_0193 --name release-2",
    .option = set_options,
    .min_args = 1,
    .max_args = 1,
    .ignores_settings = true,
    .run = run_set,
};

const assay_command assay_command_baseline_show = {
    .name = "baseline show",
    .args = "[NAME]",
    .summary = "show a baseline and its run",
    .option = plain_options,
    .max_args = 1,
    .ignores_settings = true,
    .run = run_show,
};

const assay_command assay_command_baseline_list = {
    .name = "baseline list",
    .args = "",
    .summary = "list the baselines of the store",
    .option = plain_options,
    .ignores_settings = true,
    .run = run_list,
};

const assay_command assay_command_baseline_clear = {
    .name = "baseline clear",
    .args = "[NAME]",
    .summary = "take a baseline's name away; the run stays",
    .option = plain_options,
    .max_args = 1,
    .ignores_settings = true,
    .run = run_clear,
};
