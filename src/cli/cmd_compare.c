/* SPDX-License-Identifier: Apache-2.0 */
/* assay compare: did it get better, and can you prove it. */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/slice.h"
#include "cli/gate_arg.h"
#include "cli/sides_arg.h"
#include "pipeline/comparing.h"
#include "pipeline/eval_words.h"
#include "report/bob_compare_report.h"
#include "report/compare_report.h"

static const assay_option options[] = {
    {'m', "metric", ASSAY_OPTION_LIST, "METRIC", NULL,
     "what to measure; commas separate"},
    {0, "baseline", ASSAY_OPTION_TEXT, "NAME|FILE", NULL,
     "what the run is held against, instead of A"},
    {0, "depth", ASSAY_OPTION_COUNT, "K", NULL,
     "ranks beyond K are misses; default the smaller k of the runs"},
    {0, "strict-chunker-version", ASSAY_OPTION_FLAG, NULL, NULL,
     "refuse runs of different chunkers"},
    {0, "level", ASSAY_OPTION_CHOICE, "LEVEL", "auto|evidence|chunk|doc",
     "what is to be found"},
    {0, "conventions", ASSAY_OPTION_CHOICE, "NAME", "assay|kebab|bob|evalvault|trec",
     "whose rules to follow; default the golden set's, else assay"},
    {0, "test", ASSAY_OPTION_CHOICE, "TEST",
     "permutation|t|wilcoxon|sign|welch|student-unpaired",
     "what p is taken from; default permutation"},
    {0, "correct", ASSAY_OPTION_CHOICE, "RULE", "holm|bh|none",
     "for many metrics and runs at once; default holm"},
    {0, "alpha", ASSAY_OPTION_REAL, "P", NULL, "beyond chance means p below it (0.05)"},
    {0, "seed", ASSAY_OPTION_COUNT, "N", NULL, "of resampling (0)"},
    {0, "by", ASSAY_OPTION_TEXT, "KEY", NULL,
     "slices: lang, difficulty, category, group, tag, label, a key under meta"},
    {0, "min-n", ASSAY_OPTION_COUNT, "N", NULL, "withhold slices below N queries (5)"},
    {'q', "queries", ASSAY_OPTION_FLAG, NULL, NULL, "list every query, draws too"},
    {0, "tolerance", ASSAY_OPTION_REAL, "X", NULL,
     "bob's results: how far a mean may fall (0.05)"},
    {0, "write-report", ASSAY_OPTION_MAYBE, "DIR", NULL,
     "also write report.md, into DIR or the workspace"},
    ASSAY_OPTIONS_SIDES,
    ASSAY_OPTIONS_OUTPUT("table|json|csv|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

enum { RUNS_MOST = 26 };

/* Everything that the command holds. */
typedef struct task {
    assay_cli *cli;
    assay_workspace workspace;
    const char **name; /* of the runs, the older one first */
    uint32_t n;
    const char *report; /* folder of report.md; "" = find one, null = not wanted */
    assay_sides sides;
    assay_recorded_run *recorded[2];
    assay_baseline *file; /* the baseline, where it is one */
    assay_comparing_settings settings;
    assay_comparison *comparison;
} task;

static void release(task *t)
{
    assay_comparison_free(t->comparison);
    assay_baseline_free(t->file);
    for (size_t i = 0; i < 2; i++)
        assay_recorded_free(t->recorded[i]);
    assay_sides_close(&t->sides);
    assay_workspace_close(&t->workspace);
}

/* ---- arguments ---- */

/* --write-report=DIR, or --write-report DIR: a folder is no run, so there is no doubt. */
static bool names_folder(const char *arg)
{
    return assay_slice_ends(assay_slice_of(arg), "/") || assay_file_is_folder(arg);
}

static assay_status read_names(task *t, assay_error *err)
{
    const char *baseline = assay_cli_text(t->cli, "baseline");
    uint32_t n_args = t->cli->n_args;

    t->report = assay_cli_text(t->cli, "write-report");
    if (assay_cli_flag(t->cli, "write-report"))
        t->report = names_folder(t->cli->arg[n_args - 1]) ? t->cli->arg[--n_args] : "";

    t->name = ASSAY_ARENA_ARRAY(&t->cli->arena, const char *, n_args + 1);
    if (!t->name)
        return assay_fail_memory(err, "reading the arguments");
    if (baseline)
        t->name[t->n++] = baseline;
    for (uint32_t i = 0; i < n_args; i++)
        t->name[t->n++] = t->cli->arg[i];
    if (t->n < 2)
        return assay_fail(err, ASSAY_EUSAGE,
                          "nothing to compare with; name two runs, or --baseline NAME");
    if (t->n > RUNS_MOST)
        return assay_fail(err, ASSAY_EUSAGE, "at most %d runs side by side", RUNS_MOST);
    return ASSAY_OK;
}

static assay_status read_settings(task *t, assay_error *err)
{
    const assay_cli *cli = t->cli;
    assay_comparing_settings *s = &t->settings;
    const char *test = assay_cli_text(cli, "test");
    const char *correct = assay_cli_text(cli, "correct");
    const assay_eval_options o = {.conventions = assay_cli_text(cli, "conventions"),
                                  .level = assay_cli_text(cli, "level"),
                                  .n_threads =
                                      (uint32_t)assay_cli_count(cli, "threads", 0)};
    assay_status st = assay_eval_words(&o, &s->eval, err);
    const char **measure;
    const char *item;
    uint32_t n = 0;

    if (st)
        return st;
    while (assay_cli_item(cli, "metric", n))
        n++;
    measure = ASSAY_ARENA_ARRAY(&t->cli->arena, const char *, n + 1);
    if (!measure)
        return assay_fail_memory(err, "reading the arguments");
    for (uint32_t i = 0; (item = assay_cli_item(cli, "metric", i)) != NULL; i++)
        measure[i] = item;
    s->measure = measure;
    s->n_measures = n;
    s->depth = (uint32_t)assay_cli_count(cli, "depth", 0);
    s->is_strict = assay_cli_flag(cli, "strict-chunker-version");
    s->by = assay_cli_text(cli, "by");
    s->min_n = (uint32_t)assay_cli_count(cli, "min-n", 5);
    s->test = test ? assay_stat_test_find(test) : NULL;
    s->correction = correct ? assay_correction_find(correct) : NULL;
    s->alpha = assay_cli_real(cli, "alpha", 0.05);
    s->seed = assay_cli_count(cli, "seed", 0);
    if (!(s->alpha > 0 && s->alpha < 1))
        return assay_fail(err, ASSAY_EUSAGE, "--alpha must be above 0 and below 1");
    return ASSAY_OK;
}

/* ---- recorded values ---- */

static bool is_recorded_file(const char *path)
{
    assay_file file = {0};
    bool is_so = strcmp(path, "-") != 0 && assay_file_exists(path) &&
                 !assay_file_is_folder(path) && !assay_file_open(&file, path, NULL) &&
                 assay_recorded_is(file.text);

    assay_file_close(&file);
    return is_so;
}

/* Whether both are files of values without hits.  bob's own may have hits where assay wrote
 * them; under bob's conventions its three means are what counts. */
static bool is_recorded(const task *t)
{
    if (t->n != 2 || assay_cli_text(t->cli, "from"))
        return false;
    return is_recorded_file(t->name[0]) && is_recorded_file(t->name[1]);
}

static assay_status compare_bob(task *t, assay_error *err)
{
    double tolerance = assay_cli_real(t->cli, "tolerance", 0.05);
    assay_bob_comparison c;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st = assay_bob_compare(t->recorded[0], t->recorded[1], tolerance,
                                        &t->cli->arena, &c, err);

    if (st)
        return st;
    if (strcmp(assay_cli_format(t->cli, "table"), "json") == 0)
        assay_bob_compare_json(&c, &out);
    else
        assay_bob_compare_text(&c, &out);
    st = assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    assay_notes_clear(&c.notes);
    if (!st && !c.has_passed)
        st = ASSAY_NO;
    return st;
}

static const char *recorded_name(task *t, uint32_t i)
{
    const assay_recorded_run *r = t->recorded[i];

    return r->name.len ? assay_arena_string(&t->cli->arena, r->name) : t->name[i];
}

static assay_status load_recorded(task *t, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; !st && i < 2; i++)
        st = assay_recorded_load(t->name[i], &t->recorded[i], err);
    return st;
}

static assay_status compare_recorded(task *t, assay_error *err)
{
    const assay_recorded_run *run[] = {t->recorded[0], t->recorded[1]};
    const char *name[] = {recorded_name(t, 0), recorded_name(t, 1)};

    if (!name[0] || !name[1])
        return assay_fail_memory(err, "naming the runs");
    return assay_compare_recorded(run, name, &t->settings, &t->comparison, err);
}

/* ---- runs ---- */

static assay_status compare_runs(task *t, assay_error *err)
{
    bool has_baseline = assay_cli_text(t->cli, "baseline") != NULL;
    assay_status st = assay_sides_open(&t->sides, &t->workspace, t->n, err);

    for (uint32_t i = 0; !st && i < t->n; i++)
        st = assay_sides_add(&t->sides, t->name[i],
                             i == 0 && has_baseline ? "baseline" : NULL, err);
    if (!st)
        st = assay_compare_runs(t->sides.side, t->sides.n, &t->settings, &t->comparison,
                                err);
    for (size_t i = 0; !st && i < t->sides.notes.n; i++)
        if (!assay_notes_add(&t->comparison->notes, &t->comparison->arena, "%s",
                             t->sides.notes.text[i]))
            st = assay_fail_memory(err, "comparing runs");
    return st;
}

/* ---- a baseline that is a file ---- */

static assay_status compare_baseline(task *t, assay_error *err)
{
    assay_status st = assay_baseline_load(t->name[0], &t->file, err);

    if (!st)
        st = assay_sides_open(&t->sides, &t->workspace, 1, err);
    if (!st)
        st = assay_sides_add(&t->sides, t->name[1], NULL, err);
    if (!st)
        st = assay_compare_baseline(t->file, &t->sides.side[0], &t->settings,
                                    &t->comparison, err);
    return st;
}

/* ---- printing ---- */

static assay_status emit(task *t, assay_error *err)
{
    const assay_compare_view view = {t->comparison, assay_cli_flag(t->cli, "queries")};
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    assay_compare_writer_find(assay_cli_format(t->cli, "table"))->write(&view, &out);
    st = assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

/* Where report.md goes: the folder asked for, else one in the workspace that the newer run
 * is the name of. */
static assay_status report_folder(task *t, const char **out, assay_error *err)
{
    const char *name = t->comparison->side[t->comparison->n_sides - 1].name;
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    if (t->report[0]) {
        *out = t->report;
        return ASSAY_OK;
    }
    assay_buffer_printf(&b, "%s/reports/", t->workspace.path);
    for (; *name; name++)
        assay_buffer_char(&b, *name == '/' ? '_' : *name);
    *out =
        b.has_failed ? NULL : assay_arena_string(&t->cli->arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return *out ? ASSAY_OK : assay_fail_memory(err, "writing the report");
}

static assay_status write_report(task *t, assay_error *err)
{
    const assay_compare_view view = {t->comparison, assay_cli_flag(t->cli, "queries")};
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_buffer path = ASSAY_BUFFER_EMPTY;
    const char *folder;
    assay_status st;

    if (!t->report)
        return ASSAY_OK;
    st = report_folder(t, &folder, err);
    if (!st)
        st = assay_folder_make(folder, err);
    if (st)
        return st;
    assay_buffer_printf(&path, "%s/report.md%c", folder, '\0');
    assay_compare_write_md(&view, &out);
    if (path.has_failed || out.has_failed)
        st = assay_fail_memory(err, "writing the report");
    else
        st = assay_file_save(path.ptr, assay_buffer_view(&out), err);
    if (!st && !t->cli->is_quiet)
        fprintf(stderr, "wrote %s\n", path.ptr);
    assay_buffer_clear(&path);
    assay_buffer_clear(&out);
    return st;
}

static assay_status compare_all(task *t, assay_error *err)
{
    const assay_conventions *c = t->settings.eval.conventions;
    bool by_bob = c && strcmp(c->name, "bob") == 0;
    assay_status st;

    if (is_recorded(t)) {
        st = load_recorded(t, err);
        if (!st && by_bob && t->recorded[0]->is_bob && t->recorded[1]->is_bob)
            return compare_bob(t, err);
        if (!st)
            st = compare_recorded(t, err);
    } else if (t->n == 2 && assay_gate_arg_is_file(t->name[0])) {
        st = compare_baseline(t, err);
    } else {
        st = compare_runs(t, err);
    }
    if (!st)
        st = emit(t, err);
    return st ? st : write_report(t, err);
}

static assay_status run_compare(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli};
    assay_status st = assay_workspace_open(cli, &t.workspace, err);

    if (!st)
        st = read_names(&t, err);
    if (!st)
        st = read_settings(&t, err);
    if (!st)
        st = compare_all(&t, err);
    release(&t);
    return st;
}

const assay_command assay_command_compare = {
    .name = "compare",
    .args = "A B...",
    .summary = "hold runs against each other: deltas, p, wins, losses, regressions",
    .details =
        "A is the older run, or the baseline.  Runs are files, or names of stored runs: an id\n"
        "or its beginning, latest, latest~1, baseline, a tag.  Only queries that all runs set\n"
        "out to answer under the same judgments are compared; the others are named.  Where\n"
        "the runs cut their documents differently, a hit counts that finds the evidence; the\n"
        "report says so.  Three runs and more: each against the first, and all pairs.\n\n"
        "bob's and evalvault's files of recorded values are compared by the values; with\n"
        "--conventions bob as bob does, and the exit code is 1 where a mean fell too far.",
    .example = "  assay compare before.jsonl after.jsonl --golden golden.yaml\n"
               "  assay compare latest~1 latest --write-report\n"
               "  assay compare latest --baseline main --format md\n"
               "  assay compare --conventions bob current.json --baseline baseline.json",
    .option = options,
    .min_args = 1,
    .max_args = UINT32_MAX,
    .run = run_compare,
};
