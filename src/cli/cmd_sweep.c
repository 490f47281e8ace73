/* SPDX-License-Identifier: Apache-2.0 */
/* assay sweep: turn the levers, and say which of them matters. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/sha256.h"
#include "base/slice.h"
#include "cli/cassette_arg.h"
#include "cli/golden_arg.h"
#include "cli/progress.h"
#include "cli/retrieve_arg.h"
#include "cli/run_setup.h"
#include "cli/store_arg.h"
#include "pipeline/sweep.h"
#include "report/sweep_report.h"

static const assay_option options[] = {
    {0, "vary", ASSAY_OPTION_LIST, "LEVER=VALUES", NULL,
     "a lever and its values: rrf.k=10,30,60; the first is what others are held against"},
    {'g', "golden", ASSAY_OPTION_TEXT, "FILE", NULL,
     "golden set; default that of assay.yaml"},
    {'m', "method", ASSAY_OPTION_TEXT, "METHOD", NULL, "whose levers (hybrid)"},
    {0, "metric", ASSAY_OPTION_TEXT, "METRIC", NULL, "what is to be better (ndcg@10)"},
    {0, "holdout", ASSAY_OPTION_REAL, "SHARE", NULL,
     "questions that the best is judged on, and not chosen by (0.3)"},
    {0, "budget", ASSAY_OPTION_COUNT, "N", NULL,
     "ask about N questions in all: settings that fall behind are dropped early"},
    {'k', "k", ASSAY_OPTION_COUNT, "N", NULL, "hits whose bytes are counted (10)"},
    {0, "depth", ASSAY_OPTION_COUNT, "N", NULL, "hits that are asked for and kept (100)"},
    {0, "seed", ASSAY_OPTION_COUNT, "N", NULL, "of the split and everything random (0)"},
    {0, "suite", ASSAY_OPTION_TEXT, "NAME", NULL, "label under which the runs are kept"},
    {0, "commit", ASSAY_OPTION_TEXT, "HASH", NULL, "default: what git's HEAD names"},
    {0, "conventions", ASSAY_OPTION_CHOICE, "NAME", "assay|kebab|bob|evalvault|trec",
     "whose rules to follow; default the golden set's, else assay"},
    {0, "level", ASSAY_OPTION_CHOICE, "LEVEL", "auto|evidence|chunk|doc",
     "what is to be found"},
    ASSAY_OPTIONS_RETRIEVE,
    ASSAY_OPTIONS_CASSETTE,
    ASSAY_OPTIONS_GOLDEN,
    ASSAY_OPTIONS_CORPUS,
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_OUTPUT("table|json|csv|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

enum { MOST_SHOWN = 20 };

typedef struct task {
    assay_cli *cli;
    assay_run_setup setup;
    assay_levers levers;
    assay_progress progress;
    assay_sweep sweep;
    assay_sweep_result *result;
    char id[20];
} task;

/* ---- settings ---- */

static assay_status read_levers(task *t, assay_error *err)
{
    const char *text;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; !st && (text = assay_cli_item(t->cli, "vary", i)) != NULL; i++)
        st = assay_levers_add(&t->levers, assay_slice_of(text), &t->setup.arena, err);
    if (!st && !t->levers.n)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "no lever: say what to vary, as in --vary 'rrf.k=10,30,60'");
    return st;
}

/* What the sweep is known by: the same question asked again goes on with its runs. */
static void make_id(task *t)
{
    const assay_snapshot *base = &t->setup.experiment.base;
    const assay_slice part[] = {base->golden_hash, base->corpus_hash, t->sweep.method};
    const char *reranker = t->sweep.source.reranker;
    uint8_t digest[ASSAY_SHA256_BYTES];
    assay_sha256 sha;
    const char *text;

    assay_sha256_init(&sha);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        assay_sha256_add(&sha, part[i].ptr, part[i].len);
        assay_sha256_add(&sha, "\n", 1);
    }
    for (uint32_t i = 0; (text = assay_cli_item(t->cli, "vary", i)) != NULL; i++)
        assay_sha256_add(&sha, text, strlen(text) + 1);
    if (reranker)
        assay_sha256_add(&sha, reranker, strlen(reranker));
    assay_sha256_end(&sha, digest);
    for (int i = 0; i < 6; i++)
        snprintf(t->id + 2 * i, 3, "%02x", digest[i]);
    t->sweep.id = assay_slice_of(t->id);
}

static void on_begin(void *ctx, uint32_t setting, uint32_t number, uint32_t of)
{
    task *t = ctx;

    (void)setting;
    t->progress.bar.done = number - 1;
    t->progress.bar.total = of;
    assay_progress_step(&t->progress);
}

static assay_status fill(task *t, assay_error *err)
{
    assay_run_setup *s = &t->setup;
    const char *method = assay_cli_text(t->cli, "method");
    double holdout = assay_cli_real(t->cli, "holdout", 0.3);

    if (!(holdout >= 0 && holdout <= 0.9))
        return assay_fail(err, ASSAY_EUSAGE, "--holdout wants a share from 0 to 0.9");
    t->sweep = (assay_sweep){
        .experiment = s->experiment,
        .frozen = assay_buffer_view(&s->frozen),
        .levers = &t->levers,
        .method = assay_slice_of(method ? method : "hybrid"),
        .corpus = s->documents.corpus,
        .passages = &s->documents.passages,
        .source = s->source,
        .metric = assay_cli_text(t->cli, "metric"),
        .holdout = holdout,
        .budget = assay_cli_count(t->cli, "budget", 0),
        .begin = on_begin,
        .ctx = t,
    };
    if (!t->sweep.metric)
        t->sweep.metric = "ndcg@10";
    if (!t->sweep.experiment.suite.len)
        t->sweep.experiment.suite = ASSAY_LIT("sweep");
    t->sweep.experiment.metrics = t->sweep.metric;
    make_id(t);
    return ASSAY_OK;
}

/* ---- printing ---- */

static assay_status fill_sheet(task *t, assay_sweep_sheet *out, assay_error *err)
{
    assay_arena *arena = &t->setup.arena;
    const assay_sweep_result *r = t->result;
    assay_sweep_line *line = ASSAY_ARENA_ARRAY(arena, assay_sweep_line, r->n_settings);
    assay_sweep_effect_line *effect;
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->levers.n; i++)
        n += t->levers.lever[i].n;
    effect = ASSAY_ARENA_ARRAY(arena, assay_sweep_effect_line, n + 1u);
    if (!line || !effect)
        return assay_fail_memory(err, "printing a sweep");
    for (uint32_t i = 0; i < r->n_settings; i++) {
        const assay_sweep_setting *s = &r->setting[i];

        line[i] = (assay_sweep_line){s->text,        s->method,  s->run_id, s->n_asked,
                                     s->is_finished, s->latency, s->bytes};
    }
    n = 0;
    for (uint32_t i = 0; i < t->levers.n; i++)
        for (uint32_t v = 0; v < t->levers.lever[i].n; v++)
            effect[n++] = (assay_sweep_effect_line){
                t->levers.lever[i].name, t->levers.lever[i].value[v],
                assay_sweep_effect(r, &t->levers, i, v)};
    *out = (assay_sweep_sheet){
        .golden = t->setup.golden->path,
        .metric = r->metric,
        .level = assay_level_word(r->level),
        .id = t->sweep.id,
        .is_lower_better = r->is_lower_better,
        .line = line,
        .n_settings = r->n_settings,
        .effect = effect,
        .n_effects = n,
        .n_questions = r->n_questions,
        .n_held = r->n_held,
        .n_asked = r->n_asked,
        .n_resumed = r->n_resumed,
        .verdict = &r->verdict,
        .most = t->cli->is_verbose ? 0 : MOST_SHOWN,
    };
    return ASSAY_OK;
}

static assay_status print(task *t, assay_error *err)
{
    static const struct {
        const char *name;
        void (*write)(const assay_sweep_sheet *sheet, assay_buffer *out);
    } writers[] = {
        {"table", assay_sweep_print_table},
        {"md", assay_sweep_print_md},
        {"csv", assay_sweep_print_csv},
        {"json", assay_sweep_print_json},
    };
    const char *format = assay_cli_format(t->cli, "table");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_sweep_sheet sheet;
    assay_status st = fill_sheet(t, &sheet, err);

    for (size_t i = 0; !st && i < sizeof writers / sizeof *writers; i++)
        if (strcmp(format, writers[i].name) == 0)
            writers[i].write(&sheet, &out);
    if (!st)
        st = out.has_failed ? assay_fail_memory(err, "printing a sweep")
                            : assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

/* ---- all ---- */

static assay_status run_it(task *t, assay_error *err)
{
    assay_status st = read_levers(t, err);

    if (!st)
        st = assay_run_setup_open(&t->setup, err);
    if (!st)
        st = fill(t, err);
    if (st)
        return st;
    assay_cli_warn_notes(t->cli, &t->setup.golden->notes);
    assay_progress_start(&t->progress, t->cli, "sweeping", "settings");
    st = assay_sweep_run(&t->sweep, &t->result, err);
    assay_progress_finish(&t->progress);
    if (st)
        return st;
    assay_cli_warn_notes(t->cli, &t->result->notes);
    if (!t->result->was_stopped)
        return print(t, err);
    if (!t->cli->is_quiet)
        fprintf(stderr, "assay: the same command again goes on with what is stored\n");
    return ASSAY_OK;
}

static assay_status run_sweep(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli, .setup = {.cli = cli, .opens_no_method = true}};
    bool was_stopped;
    int by;
    assay_status st;

    (void)signal(SIGXFSZ, SIG_IGN);
    t.setup.experiment.stop = assay_interrupt_catch();
    st = run_it(&t, err);
    by = *t.setup.experiment.stop;
    was_stopped = t.result && t.result->was_stopped;
    assay_sweep_free(t.result);
    assay_run_setup_close(&t.setup);
    st = assay_cassette_arg_finish(cli, t.setup.cassette,
                                   was_stopped ? ASSAY_ESYSTEM : st, err);
    assay_interrupt_release();
    if (was_stopped && by)
        raise(by);
    return st;
}

const assay_command assay_command_sweep = {
    .name = "sweep",
    .args = "",
    .summary =
        "turn levers, and say which one matters and whether that is more than noise",
    .details =
        "Every combination of the values is a setting, and every setting a stored run. Levers\n"
        "are chunker, embedder, tokenizer, method, the method's parameters, and those of its\n"
        "legs as LEG.PARAM; 'rrf.k' is the constant of a fusion. Inside brackets | says or;\n"
        "0.1..0.9/5 are five numbers. The first value of each lever makes the reference.\n\n"
        "The best setting is chosen on the tuning questions and judged on the held-out ones\n"
        "only. A sweep that was interrupted goes on when it is called again.",
    .example =
        "  assay sweep --golden g.yaml --corpus main --vary 'rrf.k=60,10,30,100'\n"
        "  assay sweep --golden g.yaml --corpus main --method bm25 \\\n"
        "      --vary 'k1=0.6..1.8/5' --vary 'chunker=md-heading(target=300|500|800)'",
    .option = options,
    .min_args = 0,
    .max_args = 0,
    .run = run_sweep,
};
