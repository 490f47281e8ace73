/* SPDX-License-Identifier: Apache-2.0 */
/* assay baseline bless: a new baseline, once somebody has seen what changes. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/ask.h"
#include "cli/baseline_arg.h"
#include "cli/sides_arg.h"
#include "pipeline/comparing.h"
#include "report/compare_report.h"

static const assay_option options[] = {
    {0, "name", ASSAY_OPTION_TEXT, "NAME", NULL, "which baseline (main)"},
    {0, "note", ASSAY_OPTION_TEXT, "TEXT", NULL, "why"},
    {'y', "yes", ASSAY_OPTION_FLAG, NULL, NULL, "do not ask"},
    {'m', "metric", ASSAY_OPTION_LIST, "METRIC", NULL,
     "what to measure; commas separate"},
    ASSAY_OPTIONS_SIDES,
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* What would change, as 'assay compare' shows it. */
static assay_status show(const assay_workspace *ws, const char *name, const char *run,
                         assay_error *err)
{
    assay_cli *cli = ws->cli;
    const char *measure[16];
    assay_comparing_settings settings = {.measure = measure};
    assay_comparison *comparison = NULL;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_sides sides = {0};
    assay_status st = assay_sides_open(&sides, ws, 2, err);

    while (settings.n_measures < ASSAY_COUNT(measure) &&
           assay_cli_item(cli, "metric", settings.n_measures)) {
        measure[settings.n_measures] = assay_cli_item(cli, "metric", settings.n_measures);
        settings.n_measures++;
    }
    settings.eval.n_threads = (uint32_t)assay_cli_count(cli, "threads", 0);
    if (!st)
        st = assay_sides_add(&sides, name, "baseline", err);
    if (!st)
        st = assay_sides_add(&sides, run, NULL, err);
    if (!st)
        st = assay_compare_runs(sides.side, 2, &settings, &comparison, err);
    if (!st) {
        const assay_compare_view view = {.comparison = comparison};

        assay_compare_write_table(&view, &out);
        st = assay_cli_print(&out, err);
    }
    assay_buffer_clear(&out);
    assay_comparison_free(comparison);
    assay_sides_close(&sides);
    return st;
}

static assay_status ask(const assay_cli *cli, const char *name, assay_error *err)
{
    if (assay_cli_flag(cli, "yes"))
        return ASSAY_OK;
    if (!isatty(STDIN_FILENO))
        return assay_fail(err, ASSAY_EUSAGE,
                          "nobody can be asked here: say --yes; '%s' is as it was", name);
    fprintf(stderr, "let this run be the baseline '%s'? [y/N] ", name);
    fflush(stderr);
    return assay_ask_yes() ? ASSAY_OK
                           : assay_fail(err, ASSAY_NO, "'%s' is as it was", name);
}

static assay_status bless(assay_cli *cli, assay_runs_arg *arg, const char *name,
                          assay_error *err)
{
    assay_stored_baseline b;
    assay_stored run = {0};
    assay_error none;
    assay_status st = assay_store_find(arg->store, cli->arg[0], &cli->arena, &run, err);
    const char *id = st ? NULL : assay_arena_string(&cli->arena, run.run_id);

    if (st)
        return st;
    if (!id)
        return assay_fail_memory(err, "blessing a run");
    /* The first baseline differs from nothing, and a run not from itself. */
    if (!assay_baseline_arg_find(cli, arg->store, name, &b, &none) &&
        !assay_slice_eq(b.run_id, run.run_id)) {
        st = show(&arg->workspace, name, id, err);
        if (!st)
            st = ask(cli, name, err);
    }
    if (!st)
        st = assay_baseline_arg_set(cli, arg->store, name, assay_cli_text(cli, "note"),
                                    &run, &b, err);
    if (!st && !cli->is_quiet)
        fprintf(stderr, "baseline '%s' is now %s\n", name, id);
    return st;
}

static assay_status run_bless(assay_cli *cli, assay_error *err)
{
    const char *name = assay_cli_text(cli, "name");
    assay_runs_arg arg;
    assay_status st = assay_runs_open(cli, ASSAY_STORE_WRITE, &arg, err);

    if (st)
        return st;
    st = bless(cli, &arg, name ? name : ASSAY_BASELINE_NAME, err);
    assay_runs_close(&arg);
    return st;
}

const assay_command assay_command_baseline_bless = {
    .name = "baseline bless",
    .args = "RUN",
    .summary = "show what changes against the baseline, then set it",
    .details = "Prints the comparison and asks; --yes where nobody can be asked.",
    .example = "  assay baseline bless latest --note 'synonyms are in'",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = run_bless,
};
