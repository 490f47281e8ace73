/* SPDX-License-Identifier: Apache-2.0 */
/* assay runs rm: take stored runs away. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/slice.h"
#include "cli/ask.h"
#include "cli/corpus_arg.h"
#include "cli/holds.h"
#include "cli/runs_arg.h"
#include "run/snapshot.h"

static const assay_option options[] = {
    {'y', "yes", ASSAY_OPTION_FLAG, NULL, NULL, "do not ask"},
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    assay_runs_arg arg;
    assay_stored *run;
    uint32_t n;
} task;

/* All of them are found before the first one goes; one that is named twice is one. */
static assay_status find_all(task *t, assay_error *err)
{
    t->run = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_stored, t->cli->n_args);
    if (!t->run)
        return assay_fail_memory(err, "removing runs");
    for (uint32_t i = 0; i < t->cli->n_args; i++) {
        assay_stored *run = &t->run[t->n];
        bool is_new = true;
        assay_status st =
            assay_store_find(t->arg.store, t->cli->arg[i], &t->cli->arena, run, err);

        if (st)
            return st;
        for (uint32_t k = 0; k < t->n; k++)
            is_new = is_new && !assay_slice_eq(t->run[k].run_id, run->run_id);
        t->n += is_new;
    }
    return ASSAY_OK;
}

/* ---- asking ---- */

static void describe(const assay_stored *run, assay_buffer *out)
{
    char when[20];

    assay_runs_when(run->created_at, when);
    assay_buffer_printf(out, "%.*s  %s  %.*s%s%.*s  %u %s\n", ASSAY_QUOTE(run->run_id),
                        when, ASSAY_QUOTE(run->suite), run->suite.len ? "  " : "",
                        ASSAY_QUOTE(run->method), run->n_done,
                        run->n_done == 1 ? "query" : "queries");
}

static assay_status ask(const task *t, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    if (assay_cli_flag(t->cli, "yes"))
        return ASSAY_OK;
    for (uint32_t i = 0; i < t->n; i++)
        describe(&t->run[i], &out);
    if (out.has_failed)
        st = assay_fail_memory(err, "removing runs");
    else
        fprintf(stderr, "%.*s", (int)out.len, out.ptr);
    assay_buffer_clear(&out);
    if (st)
        return st;
    if (!isatty(STDIN_FILENO))
        return assay_fail(err, ASSAY_EUSAGE,
                          "nobody can be asked here, and a run that is removed is gone: "
                          "say --yes; nothing was removed");
    fprintf(stderr, "remove %s? [y/N] ", t->n == 1 ? "this run" : "these runs");
    fflush(stderr);
    return assay_ask_yes() ? ASSAY_OK : assay_fail(err, ASSAY_NO, "nothing was removed");
}

/* ---- doing ---- */

/* The corpus need not keep its chunking any longer. */
static assay_status release(const task *t, const assay_stored *run, assay_error *err)
{
    assay_snapshot s;
    const char *name;
    const char *path;

    if (assay_snapshot_read("snapshot", run->snapshot, &t->cli->arena, &s, NULL) ||
        !s.corpus_name.len || !assay_corpus_name_is(s.corpus_name))
        return ASSAY_OK;
    name = assay_arena_string(&t->cli->arena, s.corpus_name);
    if (!name || !assay_workspace_file(&t->arg.workspace, name, &path))
        return assay_fail_memory(err, "removing runs");
    return assay_file_exists(path) ? assay_hold_release(run->run_id, path, err)
                                   : ASSAY_OK;
}

static assay_status remove_all(const task *t, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; !st && i < t->n; i++) {
        st = assay_store_remove(t->arg.store, t->run[i].run_id, err);
        if (!st)
            st = release(t, &t->run[i], err);
    }
    return st;
}

static assay_status report(const task *t, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_json_writer w = assay_json_writer_of(&out, 2);
    assay_status st;

    if (strcmp(assay_cli_format(t->cli, "table"), "json") == 0) {
        assay_json_object(&w);
        assay_json_name(&w, "schema", ASSAY_LIT("assay.runs-rm/1"));
        assay_json_key(&w, "removed");
        assay_json_list(&w);
        for (uint32_t i = 0; i < t->n; i++)
            assay_json_string(&w, t->run[i].run_id);
        assay_json_list_end(&w);
        assay_json_object_end(&w);
        assay_buffer_char(&out, '\n');
    } else {
        for (uint32_t i = 0; i < t->n; i++)
            assay_buffer_printf(&out, "removed %.*s\n", ASSAY_QUOTE(t->run[i].run_id));
    }
    st = assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_rm(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli};
    assay_status st = assay_runs_open(cli, ASSAY_STORE_WRITE, &t.arg, err);

    if (st)
        return st;
    st = find_all(&t, err);
    if (!st)
        st = ask(&t, err);
    if (!st)
        st = remove_all(&t, err);
    if (!st)
        st = report(&t, err);
    assay_runs_close(&t.arg);
    return st;
}

const assay_command assay_command_runs_rm = {
    .name = "runs rm",
    .args = "RUN...",
    .summary = "take stored runs away",
    .details =
        "On a terminal it asks first; elsewhere --yes is needed.  A run that a baseline\n"
        "names stays, and is said.  Golden sets go with the last run that needs them.",
    .example = "  assay runs rm run_0198c0ff\n  assay runs rm latest --yes",
    .option = options,
    .ignores_settings = true,
    .min_args = 1,
    .max_args = UINT32_MAX,
    .run = run_rm,
};
