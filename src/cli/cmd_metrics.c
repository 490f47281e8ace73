/* SPDX-License-Identifier: Apache-2.0 */
/* assay metrics: stored runs measured again, and what changed. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/golden_arg.h"
#include "cli/progress.h"
#include "cli/remeasure_print.h"
#include "cli/runs_arg.h"
#include "golden/frozen.h"
#include "golden/resolve.h"
#include "pipeline/eval_words.h"
#include "pipeline/remeasure.h"

static const assay_option options[] = {
    {0, "all", ASSAY_OPTION_FLAG, NULL, NULL,
     "all stored runs, or all that the filters below let through"},
    {'m', "metric", ASSAY_OPTION_LIST, "METRIC", NULL,
     "what to measure; default the conventions' own and what was measured before"},
    {'g', "golden", ASSAY_OPTION_TEXT, "FILE", NULL,
     "measure with this golden set instead of each run's own"},
    {0, "golden-from", ASSAY_OPTION_TEXT, "FORMAT", NULL, "format of the golden set"},
    {0, "topics", ASSAY_OPTION_TEXT, "FILE", NULL, "TREC: query texts"},
    {0, "split", ASSAY_OPTION_TEXT, "NAME", NULL, "BEIR: which qrels (test)"},
    {0, "corpus", ASSAY_OPTION_TEXT, "NAME", NULL,
     "corpus in which the judgments of --golden are looked for"},
    {0, "conventions", ASSAY_OPTION_CHOICE, "NAME", "assay|kebab|bob|evalvault|trec",
     "whose rules to follow; default each run's own"},
    {0, "level", ASSAY_OPTION_CHOICE, "LEVEL", "auto|evidence|chunk|doc",
     "what is to be found; default as it was measured"},
    {0, "write", ASSAY_OPTION_FLAG, NULL, NULL,
     "store the new values also where the golden set, rules or metrics are others"},
    {0, "dry-run", ASSAY_OPTION_FLAG, NULL, NULL, "store nothing"},
    {0, "jobs", ASSAY_OPTION_COUNT, "N", NULL, "runs at once; 0 = one a core"},
    {0, "max-line", ASSAY_OPTION_COUNT, "BYTES", NULL, "longest line to read"},
    ASSAY_OPTIONS_RUNS,
    {'n', "limit", ASSAY_OPTION_COUNT, "N", NULL, "with --all: only the newest N"},
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json|csv|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    assay_runs_arg arg;
    assay_stored *run;
    uint32_t n;
    assay_golden *golden;
    assay_buffer frozen;
    assay_buffer metrics;
    assay_remeasure todo;
    assay_remeasured *done;
    assay_progress progress;
} task;

/* ---- which runs ---- */

static assay_status find_named(task *t, assay_error *err)
{
    t->run = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_stored, t->cli->n_args);
    if (!t->run)
        return assay_fail_memory(err, "finding runs");
    for (; t->n < t->cli->n_args; t->n++) {
        assay_status st = assay_store_find(t->arg.store, t->cli->arg[t->n],
                                           &t->cli->arena, &t->run[t->n], err);

        if (st)
            return st;
    }
    return ASSAY_OK;
}

static assay_status find_runs(task *t, assay_error *err)
{
    assay_store_filter filter;
    assay_status st = assay_runs_filter(t->cli, &filter, err);

    if (st)
        return st;
    if (assay_cli_flag(t->cli, "all") == (t->cli->n_args > 0))
        return assay_fail(err, ASSAY_EUSAGE,
                          "which runs? name them, or say --all; one or the other");
    if (t->cli->n_args)
        return find_named(t, err);
    filter.most = (uint32_t)assay_cli_count(t->cli, "limit", 0);
    return assay_store_list(t->arg.store, &filter, &t->cli->arena, &t->run, &t->n, err);
}

/* ---- how ---- */

static assay_status resolve(task *t, assay_error *err)
{
    const char *name = assay_cli_text(t->cli, "corpus");
    const assay_trace_options o = {0};
    assay_resolution resolution;
    assay_notes notes = {0};
    const char *path;
    assay_status st;

    if (!name)
        return ASSAY_OK;
    st = assay_workspace_corpus(&t->arg.workspace, name, &path, err);
    if (!st)
        st = assay_resolve(t->golden, path, &o, &resolution, err);
    if (!st &&
        !assay_resolution_notes(&resolution, t->golden, 10, &notes, &t->cli->arena))
        st = assay_fail_memory(err, "resolving the golden set");
    assay_cli_warn_notes(t->cli, &notes);
    assay_notes_clear(&notes);
    return st;
}

/* Only a golden set that is named takes the place of the runs' own. */
static assay_status read_golden(task *t, assay_error *err)
{
    const assay_golden_options o = {.format = assay_cli_text(t->cli, "golden-from"),
                                    .topics = assay_cli_text(t->cli, "topics"),
                                    .split = assay_cli_text(t->cli, "split"),
                                    .max_line = assay_cli_count(t->cli, "max-line", 0)};
    const char *path = assay_cli_text(t->cli, "golden");
    assay_status st;

    t->todo.golden = ASSAY_LIT("");
    if (!path && assay_cli_text(t->cli, "corpus"))
        return assay_fail(err, ASSAY_EUSAGE,
                          "--corpus is for the judgments of --golden; a run's own golden "
                          "set was resolved when the run was made");
    if (!path)
        return ASSAY_OK;
    st = assay_golden_load(path, &o, &t->golden, err);
    if (!st)
        assay_cli_warn_notes(t->cli, &t->golden->notes);
    if (!st)
        st = resolve(t, err);
    if (!st)
        st = assay_golden_freeze(t->golden, &t->frozen, err);
    t->todo.golden = assay_buffer_view(&t->frozen);
    return st;
}

static assay_status read_metrics(task *t, assay_error *err)
{
    assay_measures parsed = {0};
    const char *metric;
    assay_status st;

    for (uint32_t i = 0; (metric = assay_cli_item(t->cli, "metric", i)); i++) {
        if (i)
            assay_buffer_char(&t->metrics, ' ');
        assay_buffer_text(&t->metrics, metric);
    }
    if (!t->metrics.len)
        return ASSAY_OK;
    assay_buffer_char(&t->metrics, '\0');
    if (t->metrics.has_failed)
        return assay_fail_memory(err, "reading the metrics");
    t->todo.metrics = t->metrics.ptr;
    /* A name that nobody knows is not the fault of a run. */
    st = assay_measure_parse_list(assay_slice_of(t->todo.metrics), &parsed,
                                  &t->cli->arena, err);
    assay_measures_clear(&parsed);
    return st;
}

/* Another yardstick gives other numbers, which take the place of the stored ones only when
 * that is asked for. */
static bool may_write(const task *t)
{
    const assay_cli *cli = t->cli;
    bool is_other = t->golden || t->todo.metrics || assay_cli_text(cli, "conventions") ||
                    assay_cli_text(cli, "level");

    if (assay_cli_flag(cli, "dry-run"))
        return false;
    return !is_other || assay_cli_flag(cli, "write");
}

static assay_status read_settings(task *t, assay_error *err)
{
    const assay_eval_options o = {.conventions = assay_cli_text(t->cli, "conventions"),
                                  .level = assay_cli_text(t->cli, "level")};
    assay_status st = assay_eval_words(&o, &t->todo.eval, err);

    if (!st)
        st = read_golden(t, err);
    if (!st)
        st = read_metrics(t, err);
    if (!st)
        st = assay_store_arg_place(&t->arg.workspace, &t->todo.place, err);
    t->todo.writes = may_write(t);
    t->todo.n_jobs = (uint32_t)assay_cli_count(t->cli, "jobs", 0);
    return st;
}

/* ---- doing ---- */

static void tell(void *ctx, uint32_t n_done)
{
    task *t = ctx;

    t->progress.bar.done = n_done;
    assay_progress_step(&t->progress);
}

static assay_status measure(task *t, assay_error *err)
{
    assay_status st;

    t->done = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_remeasured, t->n + 1);
    if (!t->done)
        return assay_fail_memory(err, "measuring runs");
    t->todo.run = t->run;
    t->todo.n = t->n;
    t->todo.tell = tell;
    t->todo.ctx = t;
    t->todo.stop = assay_interrupt_catch();
    assay_progress_start(&t->progress, t->cli, "measure", "runs");
    t->progress.bar.total = t->n;
    st = assay_remeasure_all(&t->todo, t->done, err);
    assay_progress_finish(&t->progress);
    if (!st && atomic_load(t->todo.stop))
        st = assay_fail(err, ASSAY_ESYSTEM, "interrupted: not all runs were measured");
    assay_interrupt_release();
    return st;
}

/* The first failure stands for all in the exit code; each is told. */
static assay_status verdict(const task *t, assay_error *err)
{
    assay_status st = ASSAY_OK;
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->n; i++) {
        const assay_remeasured *d = &t->done[i];

        if (!d->status)
            continue;
        if (!n++)
            st = assay_fail(err, d->status, "run '%.*s': %s",
                            ASSAY_QUOTE(t->run[i].run_id), d->why);
        else
            assay_cli_warn(t->cli, "run '%.*s': %s", ASSAY_QUOTE(t->run[i].run_id),
                           d->why);
    }
    return st;
}

static assay_status report(task *t, assay_error *err)
{
    const assay_remeasure_report r = {.run = t->run,
                                      .done = t->done,
                                      .n = t->n,
                                      .id_len = assay_runs_id_len(t->run, t->n),
                                      .is_all = t->cli->n_args == 0,
                                      .store = assay_store_place(t->arg.store)};
    const char *format = assay_cli_format(t->cli, "table");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    assay_remeasure_print(&r, format, &out);
    st = assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_metrics(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli, .frozen = ASSAY_BUFFER_EMPTY, .metrics = ASSAY_BUFFER_EMPTY};
    assay_status st = assay_runs_open(cli, ASSAY_STORE_READ, &t.arg, err);

    if (st)
        return st;
    st = find_runs(&t, err);
    if (!st)
        st = read_settings(&t, err);
    if (!st)
        st = measure(&t, err);
    if (!st)
        st = report(&t, err);
    if (!st)
        st = verdict(&t, err);
    for (uint32_t i = 0; t.done && i < t.n; i++)
        assay_remeasured_clear(&t.done[i]);
    assay_buffer_clear(&t.frozen);
    assay_buffer_clear(&t.metrics);
    assay_golden_free(t.golden);
    assay_runs_close(&t.arg);
    return st;
}

const assay_command assay_command_metrics = {
    .name = "metrics",
    .args = "RUN...|--all",
    .summary = "measure stored runs again, and say what changed",
    .details =
        "A run is measured by today's metrics against the golden set that was stored with it;\n"
        "the new values take the place of the stored ones.  With --golden, --conventions,\n"
        "--level or --metric the values are shown beside the stored ones, which stay, unless\n"
        "--write is given.  Queries that the run never set out to answer do not count.  Runs\n"
        "that hold only recorded scores are left as they are.",
    .example = "  assay metrics latest\n"
               "  assay metrics --all --suite nightly\n"
               "  assay metrics latest --golden golden.yaml --corpus main -m ndcg@10",
    .option = options,
    .ignores_settings = true,
    .max_args = UINT32_MAX,
    .run = run_metrics,
};
