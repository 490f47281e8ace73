/* SPDX-License-Identifier: Apache-2.0 */
/* assay run: ask every query, store every result, measure. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "cli/cassette_arg.h"
#include "cli/golden_arg.h"
#include "cli/holds.h"
#include "cli/progress.h"
#include "cli/retrieve_arg.h"
#include "cli/run_setup.h"
#include "cli/store_arg.h"
#include "report/run_report.h"

static const assay_option options[] = {
    {'g', "golden", ASSAY_OPTION_TEXT, "FILE", NULL,
     "golden set; default that of assay.yaml"},
    {'m', "method", ASSAY_OPTION_LIST, "LIST", NULL,
     "bm25,dense,hybrid,graphrag, each a run of its own; default bm25"},
    {0, "controls", ASSAY_OPTION_FLAG, NULL, NULL,
     "rulers beside the methods: random, oracle and bm25, tagged control=NAME"},
    {0, "system", ASSAY_OPTION_TEXT, "SPEC", NULL,
     "another system: cmd:PROGRAM..., http://..., file:RUN"},
    {'k', "k", ASSAY_OPTION_COUNT, "N", NULL,
     "hits that people look at, and that answers rest on (10)"},
    {0, "depth", ASSAY_OPTION_COUNT, "N", NULL, "hits that are asked for and kept (100)"},
    {0, "answers", ASSAY_OPTION_MAYBE, "ANSWERER", NULL,
     "answers too: extract, openai:MODEL; of a system its own"},
    {0, "answer-url", ASSAY_OPTION_TEXT, "URL", NULL, "where the answerer's server is"},
    {0, "prompt", ASSAY_OPTION_TEXT, "FILE", NULL, "prompt template of the answerer"},
    {0, "suite", ASSAY_OPTION_TEXT, "NAME", NULL, "label under which the run is kept"},
    {0, "tag", ASSAY_OPTION_LIST, "KEY=VALUE", NULL, "keep this with the run"},
    {0, "seed", ASSAY_OPTION_COUNT, "N", NULL, "of everything random (0)"},
    {0, "only", ASSAY_OPTION_LIST, "ID,...", NULL, "ask these queries only"},
    {0, "limit", ASSAY_OPTION_COUNT, "N", NULL, "ask the first N queries only"},
    {0, "timeout", ASSAY_OPTION_REAL, "SECONDS", NULL,
     "for one query of a system or answerer (60)"},
    {0, "retries", ASSAY_OPTION_COUNT, "N", NULL, "of a request that fails (2)"},
    {0, "rate", ASSAY_OPTION_REAL, "N", NULL, "most requests a second to a system"},
    {0, "resume", ASSAY_OPTION_TEXT, "RUN", NULL,
     "go on with a run that was interrupted"},
    {0, "retry-errors", ASSAY_OPTION_TEXT, "RUN", NULL,
     "ask the failed queries of a run again"},
    {0, "repeat", ASSAY_OPTION_COUNT, "N", NULL,
     "make N runs, and show the spread between them"},
    {0, "commit", ASSAY_OPTION_TEXT, "HASH", NULL, "default: what git's HEAD names"},
    {0, "metric", ASSAY_OPTION_LIST, "METRIC", NULL, "what to measure; commas separate"},
    {0, "conventions", ASSAY_OPTION_CHOICE, "NAME", "assay|kebab|bob|evalvault|trec",
     "whose rules to follow; default the golden set's, else assay"},
    {0, "level", ASSAY_OPTION_CHOICE, "LEVEL", "auto|evidence|chunk|doc",
     "what is to be found"},
    ASSAY_OPTIONS_RETRIEVE,
    ASSAY_OPTIONS_CASSETTE,
    ASSAY_OPTIONS_GOLDEN,
    ASSAY_OPTIONS_CORPUS,
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

enum { MOST_MISSED = 10 };

typedef struct task {
    assay_cli *cli;
    assay_run_setup setup;
    assay_progress progress;
    assay_trial *trial;
    uint32_t n_trials;
    assay_evaluator *evaluator;
    assay_report_run *row;
    assay_run_line *line;
    assay_report report;
} task;

static void release(task *t)
{
    for (uint32_t i = 0; i < t->n_trials; i++) {
        if (t->row)
            assay_scores_free((assay_scores *)(uintptr_t)t->row[i].scores);
        assay_trial_clear(&t->trial[i]);
    }
    assay_evaluator_close(t->evaluator);
    assay_notes_clear(&t->report.notes);
    assay_run_setup_close(&t->setup);
}

/* ---- progress ---- */

static void on_news(void *ctx, const assay_runner_news *news)
{
    task *t = ctx;
    char text[100];

    t->progress.bar.done = news->n_done + t->trial[t->n_trials - 1].n_before;
    t->progress.bar.failed = news->n_failed;
    /* The next one begins at once, and that is what is worth seeing. */
    if (news->is_done)
        return;
    if (news->n_waiting > 1)
        snprintf(text, sizeof text, "waiting for %.*s and %u more",
                 ASSAY_QUOTE(news->query_id), news->n_waiting - 1);
    else
        snprintf(text, sizeof text, "waiting for %.*s", ASSAY_QUOTE(news->query_id));
    t->progress.bar.name = assay_slice_of(text);
    assay_progress_step(&t->progress);
}

/* The store has lost its server. */
static void on_waiting(void *ctx, const char *words)
{
    task *t = ctx;

    assay_progress_hide(&t->progress);
    if (words)
        assay_cli_warn(t->cli, "%s; waiting for it to come back", words);
    t->progress.bar.name = words ? ASSAY_LIT("waiting for the store") : ASSAY_LIT("");
    assay_progress_step(&t->progress);
}

/* ---- running ---- */

static int by_key(const void *a, const void *b)
{
    return assay_slice_cmp(((const assay_tag *)a)->key, ((const assay_tag *)b)->key);
}

/* Rulers are tagged, so that trends can leave them out. */
static assay_status tag_ruler(task *t, const assay_run_method *m, assay_experiment *x,
                              assay_error *err)
{
    assay_tag *tag;

    if (!m->is_ruler)
        return ASSAY_OK;
    tag = ASSAY_ARENA_ARRAY(&t->setup.arena, assay_tag, x->n_tags + 1u);
    if (!tag)
        return assay_fail_memory(err, "running an experiment");
    for (uint32_t i = 0; i < x->n_tags; i++) {
        if (assay_slice_is(x->tag[i].key, "control"))
            return assay_fail(err, ASSAY_EUSAGE,
                              "the tag 'control' is what --controls names its runs by");
        tag[i] = x->tag[i];
    }
    tag[x->n_tags] = (assay_tag){ASSAY_LIT("control"), m->name};
    x->tag = tag;
    x->n_tags++;
    qsort(tag, x->n_tags, sizeof *tag, by_key);
    return ASSAY_OK;
}

static assay_status run_trial(task *t, const assay_run_method *m, uint32_t repeat,
                              assay_error *err)
{
    assay_run_setup *s = &t->setup;
    assay_experiment x = s->experiment;
    assay_trial *trial = &t->trial[t->n_trials];
    assay_status st = tag_ruler(t, m, &x, err);

    if (st)
        return st;
    t->n_trials++;

    *trial = (assay_trial){.system = m->system,
                           .state = m->state,
                           .method = m->name,
                           .embedding = m->embedding,
                           .repeat = repeat,
                           .mode = assay_run_setup_mode(s),
                           .run_id = s->resumed.run_id};
    if (repeat > 1)
        trial->repeat_of = trial[1 - (int)repeat].run_id;
    assay_progress_start(&t->progress, t->cli, "asking", "queries");
    t->progress.bar.total = s->experiment.n_queries;
    st = assay_trial_run(&x, trial, err);
    assay_progress_finish(&t->progress);
    if (!st && m->retriever && m->retriever->remark &&
        !m->retriever->remark(m->own.state, &trial->notes, &trial->arena))
        st = assay_fail_memory(err, "running an experiment");
    assay_cli_warn_notes(t->cli, &trial->notes);
    if (!st && s->documents.path)
        st = assay_hold_run(&s->workspace, trial->run_id, s->documents.path,
                            s->experiment.base.chunker, err);
    return st;
}

/* What to type to go on. */
static void tell_how(const task *t, const assay_trial *trial)
{
    uint32_t n = trial->n_before + trial->end.n_done;

    if (!trial->has_begun || t->cli->is_quiet)
        return;
    fprintf(stderr,
            "assay: %u of %u queries are stored; go on with: assay run --resume %.*s\n",
            n, t->setup.experiment.n_queries, ASSAY_QUOTE(trial->run_id));
}

static assay_status run_all(task *t, bool *was_stopped, assay_error *err)
{
    assay_run_setup *s = &t->setup;
    uint32_t repeats = s->experiment.base.repeats;
    uint32_t n = s->n_methods * (repeats ? repeats : 1);
    assay_status st = ASSAY_OK;

    t->trial = ASSAY_ARENA_ARRAY(&s->arena, assay_trial, n);
    if (!t->trial)
        return assay_fail_memory(err, "running an experiment");
    for (uint32_t m = 0; m < s->n_methods && !st; m++)
        for (uint32_t r = 1; r <= (repeats ? repeats : 1) && !st; r++) {
            st = run_trial(t, &s->method[m], repeats ? r : 0, err);
            *was_stopped = !st && t->trial[t->n_trials - 1].end.was_stopped;
            if (st || *was_stopped)
                tell_how(t, &t->trial[t->n_trials - 1]);
            if (*was_stopped)
                return ASSAY_OK;
        }
    return st;
}

/* ---- measuring ---- */

static assay_status plan(task *t, assay_error *err)
{
    const assay_experiment *x = &t->setup.experiment;
    const assay_run **run =
        ASSAY_ARENA_ARRAY(&t->setup.arena, const assay_run *, t->n_trials);
    assay_status st;

    if (!run)
        return assay_fail_memory(err, "measuring");
    for (uint32_t i = 0; i < t->n_trials; i++)
        run[i] = t->trial[i].run;
    st = assay_evaluator_open(x->golden, &x->eval, &t->evaluator, err);
    if (!st)
        st = assay_evaluator_settle(t->evaluator, run, t->n_trials, err);
    if (!st && x->metrics)
        st = assay_evaluator_measure(t->evaluator, assay_slice_of(x->metrics), err);
    else if (!st)
        st = assay_evaluator_standard(t->evaluator, run, t->n_trials, err);
    return st;
}

/* What a column is called: the method, and which repeat. */
static const char *name_of(task *t, uint32_t i)
{
    const assay_trial *trial = &t->trial[i];
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    const char *name;

    assay_buffer_slice(&b, trial->method);
    if (trial->repeat)
        assay_buffer_printf(&b, " #%u", trial->repeat);
    name = assay_arena_string(&t->setup.arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return name;
}

static assay_status measure(task *t, assay_error *err)
{
    assay_status st = plan(t, err);

    t->row = ASSAY_ARENA_ARRAY(&t->setup.arena, assay_report_run, t->n_trials);
    t->line = ASSAY_ARENA_ARRAY(&t->setup.arena, assay_run_line, t->n_trials);
    if (!t->row || !t->line)
        return assay_fail_memory(err, "measuring");
    for (uint32_t i = 0; i < t->n_trials && !st; i++) {
        const assay_trial *trial = &t->trial[i];
        assay_scores *scores = NULL;

        st = assay_evaluator_run(t->evaluator, trial->run, &scores, err);
        t->row[i] = (assay_report_run){
            .name = name_of(t, i), .run = trial->run, .scores = scores};
        t->line[i] = (assay_run_line){trial->run_id, trial->method, trial->snapshot,
                                      trial->repeat};
        if (!st && !t->row[i].name)
            st = assay_fail_memory(err, "measuring");
    }
    return st;
}

/* ---- printing ---- */

static assay_status print(task *t, assay_error *err)
{
    static const char *const empty_words[] = {"skip", "zero", "recall 1, else zero"};
    const assay_notes *notes = assay_evaluator_notes(t->evaluator);
    const assay_experiment *x = &t->setup.experiment;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_report *r = &t->report;
    assay_status st;
    const assay_run_sheet sheet = {
        .report = r,
        .line = t->line,
        .store = assay_store_place(t->setup.store),
        .k = x->base.k,
        .n_skipped = x->n_skipped,
        .most = t->cli->is_verbose ? 0 : MOST_MISSED,
    };

    r->golden = x->golden;
    r->conventions = assay_evaluator_conventions(t->evaluator);
    r->empty = empty_words[assay_evaluator_empty(t->evaluator)];
    r->level = assay_evaluator_level(t->evaluator);
    r->run = t->row;
    r->n_runs = t->n_trials;
    r->with_spread = r->conventions->has_spread;
    r->timestamp = "";
    for (size_t i = 0; i < notes->n; i++)
        if (!assay_notes_add(&r->notes, &t->setup.arena, "%s", notes->text[i]))
            return assay_fail_memory(err, "writing the report");
    if (strcmp(assay_cli_format(t->cli, "table"), "json") == 0)
        assay_run_sheet_json(&sheet, &out);
    else
        assay_run_sheet_table(&sheet, &out);
    st = out.has_failed ? assay_fail_memory(err, "writing the report")
                        : assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

/* What the simplest method does without a fault tells no two methods apart. */
static void tell_saturated(const task *t)
{
    for (uint32_t i = 0; assay_run_given(t->cli, "controls") && i < t->n_trials; i++) {
        const assay_scores *s = t->row[i].scores;

        if (assay_slice_is(t->trial[i].method, "bm25") && s->n_columns &&
            !s->column[0].is_lower_better &&
            assay_control_is_saturated(s->total[0].value))
            assay_cli_warn(
                t->cli,
                "the set is saturated: bm25 has %s of 1.000, so that no method "
                "can be better; add harder questions",
                s->column[0].name);
    }
}

static assay_status verdict(const task *t, assay_error *err)
{
    for (uint32_t i = 0; i < t->n_trials; i++) {
        const assay_scores *s = t->row[i].scores;

        if (s->counts.failed)
            return assay_fail(err, ASSAY_NO,
                              "%s: %u of %u queries failed; ask them again with "
                              "'assay run --retry-errors %.*s'",
                              t->row[i].name, s->counts.failed, s->counts.total,
                              ASSAY_QUOTE(t->trial[i].run_id));
    }
    return ASSAY_OK;
}

/* End as one who was killed by the signal would, so that scripts stop, too. */
static void end_by(int number)
{
    assay_interrupt_release();
    if (number)
        raise(number);
}

static assay_status run_run(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli, .setup = {.cli = cli}};
    bool was_stopped = false;
    int by = 0;
    assay_status st;

    /* A limit on the size of files is to be an error that is told, not our end. */
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    t.setup.experiment.stop = assay_interrupt_catch();
    t.setup.experiment.tell = on_news;
    t.setup.experiment.ctx = &t;
    st = assay_run_setup_open(&t.setup, err);
    if (!st) {
        assay_store_set_waiting(t.setup.store, on_waiting, &t);
        assay_cli_warn_notes(cli, &t.setup.golden->notes);
        assay_cli_warn_notes(cli, &t.setup.notes);
        st = run_all(&t, &was_stopped, err);
    }
    if (!st && !was_stopped)
        st = measure(&t, err);
    if (!st && !was_stopped)
        st = print(&t, err);
    if (!st && !was_stopped) {
        tell_saturated(&t);
        st = verdict(&t, err);
    }
    by = *t.setup.experiment.stop;
    release(&t);
    /* Half a recording is kept as such. */
    st = assay_cassette_arg_finish(cli, t.setup.cassette,
                                   was_stopped ? ASSAY_ESYSTEM : st, err);
    if (was_stopped)
        end_by(by);
    assay_interrupt_release();
    return st;
}

const assay_command assay_command_run = {
    .name = "run",
    .args = "",
    .summary = "ask every query of a golden set, keep the run, measure it",
    .details =
        "Each result is stored as soon as it is there: what is interrupted goes on with\n"
        "--resume and ends as if it had not been. A query that fails is stored with its\n"
        "error, counts as a miss, and makes the exit code 1.\n\n"
        "Every method is a run of its own; so is every repeat. Documents are the chunks of\n"
        "--corpus, or those that the golden set brings. Another system is asked with\n"
        "--system; docs/SYSTEMS.md has the protocol.",
    .example =
        "  assay run --golden golden.yaml --corpus handbook --method bm25,hybrid\n"
        "  assay run --golden golden.yaml --system 'cmd:python3 my_search.py' --answers\n"
        "  assay run --golden golden.yaml --system http://127.0.0.1:8080/search --jobs 4\n"
        "  assay run --resume latest",
    .option = options,
    .min_args = 0,
    .max_args = 0,
    .run = run_run,
};
