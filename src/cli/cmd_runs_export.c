/* SPDX-License-Identifier: Apache-2.0 */
/* assay runs export: a stored run as a file. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/runs_arg.h"
#include "pipeline/run_bundle.h"

static const assay_option options[] = {
    {0, "as", ASSAY_OPTION_CHOICE, "FORMAT", "bundle|jsonl|trec|kebab",
     "what to write; bundle holds everything (bundle)"},
    {0, "no-times", ASSAY_OPTION_FLAG, NULL, NULL,
     "leave out what differs when a run is made twice: its id, dates, durations"},
    {0, "strict", ASSAY_OPTION_FLAG, NULL, NULL, "fail where something would be lost"},
    {'o', "output", ASSAY_OPTION_TEXT, "FILE", NULL, "write to FILE; .gz and .zst pack"},
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_WORKSPACE,
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    assay_runs_arg arg;
    assay_stored stored;
    assay_run *run;
    bool with_times;
    assay_buffer out;
} task;

static assay_status write_bundle(task *t, assay_error *err)
{
    assay_slice golden = ASSAY_LIT("");
    assay_status st = ASSAY_OK;

    if (t->stored.golden_hash.len)
        st = assay_store_get_golden(t->arg.store, t->stored.golden_hash, &t->cli->arena,
                                    &golden, err);
    if (!st)
        st = assay_bundle_write(&t->stored, golden, t->run, t->with_times, &t->out, err);
    return st;
}

static assay_status write_run(task *t, const char *name, assay_error *err)
{
    const assay_run_format *format;
    assay_notes lost = {0};
    assay_status st = assay_run_format_get(name, &format, err);

    if (!st && t->run->is_scores_only)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "'%.*s' has no hits, only recorded scores; export it as a bundle",
                        ASSAY_QUOTE(t->stored.run_id));
    if (!st)
        st = format->write(t->run, &t->out, &lost, &t->cli->arena, err);
    for (size_t i = 0; !st && i < lost.n; i++)
        assay_cli_warn(t->cli, "%.*s: lost: %s", ASSAY_QUOTE(t->stored.run_id),
                       lost.text[i]);
    if (!st && lost.n && assay_cli_flag(t->cli, "strict"))
        st = assay_fail(err, ASSAY_NO,
                        "%zu kinds of things would be lost (see above); nothing was "
                        "written",
                        lost.n);
    assay_notes_clear(&lost);
    return st;
}

static assay_status export_run(task *t, assay_error *err)
{
    const char *as = assay_cli_text(t->cli, "as");
    assay_status st =
        assay_store_find(t->arg.store, t->cli->arg[0], &t->cli->arena, &t->stored, err);

    if (!st)
        st = assay_store_load(t->arg.store, t->stored.run_id, &t->run, err);
    if (st)
        return st;
    if (!t->with_times) {
        assay_run_forget_times(t->run);
        t->run->name = ASSAY_LIT("run"); /* TREC's last column */
    }
    if (!as || strcmp(as, "bundle") == 0)
        st = write_bundle(t, err);
    else
        st = write_run(t, as, err);
    return st ? st : assay_cli_emit(t->cli, &t->out, err);
}

static assay_status run_export(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli,
              .out = ASSAY_BUFFER_EMPTY,
              .with_times = !assay_cli_flag(cli, "no-times")};
    assay_status st = assay_runs_open(cli, ASSAY_STORE_READ, &t.arg, err);

    if (st)
        return st;
    st = export_run(&t, err);
    assay_buffer_clear(&t.out);
    assay_run_free(t.run);
    assay_runs_close(&t.arg);
    return st;
}

const assay_command assay_command_runs_export = {
    .name = "runs export",
    .args = "RUN",
    .summary = "write a stored run to a file",
    .details =
        "A bundle is a file of lines: the run, its snapshot, its aggregate, its golden set as\n"
        "it was, and a result a line.  'assay runs import' takes it back whole, on another\n"
        "machine or into another store.  The other formats hold the results alone.  The same\n"
        "run gives the same bytes; with --no-times so do two runs that found the same.",
    .example = "  assay runs export latest -o run.bundle.jsonl.gz\n"
               "  assay runs export run_0198c0ff --as trec -o run.trec\n"
               "  assay runs export latest --no-times | sha256sum",
    .option = options,
    .ignores_settings = true,
    .min_args = 1,
    .max_args = 1,
    .run = run_export,
};
