/* SPDX-License-Identifier: Apache-2.0 */
/* assay eval: measure runs against a golden set, side by side, and store nothing. */
#include <string.h>
#include <time.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "cli/golden_arg.h"
#include "pipeline/eval_words.h"
#include "pipeline/evaluate.h"
#include "pipeline/place_hits.h"
#include "pipeline/slicing.h"
#include "report/report.h"

static const assay_option options[] = {
    {'g', "golden", ASSAY_OPTION_TEXT, "FILE", NULL,
     "golden set; default that of assay.yaml"},
    {'m', "metric", ASSAY_OPTION_LIST, "METRIC", NULL,
     "what to measure; commas separate"},
    {'q', "queries", ASSAY_OPTION_FLAG, NULL, NULL, "a row for each query as well"},
    {0, "conventions", ASSAY_OPTION_CHOICE, "NAME", "assay|kebab|bob|evalvault|trec",
     "whose rules to follow; default the golden set's, else assay"},
    {0, "level", ASSAY_OPTION_CHOICE, "LEVEL", "auto|evidence|chunk|doc",
     "what is to be found"},
    {0, "ties", ASSAY_OPTION_CHOICE, "RULE",
     "score|id-down|id-up|rank|listed|optimistic|pessimistic|bounds",
     "the order of equal scores; bounds shows the worst and the best"},
    {0, "duplicates", ASSAY_OPTION_CHOICE, "RULE", "error|first",
     "an id that is a hit twice; default error in TREC files, else first"},
    {0, "collapse", ASSAY_OPTION_FLAG, NULL, NULL,
     "level doc: count documents, not hits"},
    {0, "empty-relevance", ASSAY_OPTION_CHOICE, "RULE", "skip|zero",
     "queries with nothing relevant"},
    {0, "ci", ASSAY_OPTION_FLAG, NULL, NULL, "95 % confidence intervals of the means"},
    {0, "best", ASSAY_OPTION_FLAG, NULL, NULL, "mark the best run of each row"},
    {0, "by", ASSAY_OPTION_TEXT, "KEY", NULL,
     "slices: lang, difficulty, category, group, tag, label, a key under meta"},
    {0, "min-n", ASSAY_OPTION_COUNT, "N", NULL, "withhold slices below N queries (5)"},
    {0, "from", ASSAY_OPTION_TEXT, "FORMAT", NULL,
     "format of the runs; default: find out"},
    {0, "golden-from", ASSAY_OPTION_TEXT, "FORMAT", NULL, "format of the golden set"},
    {0, "topics", ASSAY_OPTION_TEXT, "FILE", NULL, "TREC: query texts"},
    {0, "split", ASSAY_OPTION_TEXT, "NAME", NULL, "BEIR: which qrels (test)"},
    {0, "max-line", ASSAY_OPTION_COUNT, "BYTES", NULL, "longest line to read"},
    {0, "threads", ASSAY_OPTION_COUNT, "N", NULL, "default one for each core"},
    {0, "strict", ASSAY_OPTION_FLAG, NULL, NULL,
     "exit 1 also for missing and unknown queries and cutoffs beyond the depth; refuse "
     "stale judgments"},
    ASSAY_OPTIONS_CORPUS,
    {0, "timestamp", ASSAY_OPTION_TEXT, "TIME", NULL, "time that bob's file is given"},
    ASSAY_OPTIONS_OUTPUT("table|json|jsonl|csv|md|tsv"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* Everything that the command holds. */
typedef struct task {
    assay_cli *cli;
    assay_workspace workspace;
    assay_golden *golden;
    assay_run **run;    /* one for each argument */
    const char *corpus; /* its file; null: --corpus was not given */
    assay_resolution resolution;
    assay_placing *placing; /* of each run, with a corpus */
    assay_projection *view;
    assay_notes notes; /* on what the corpus said */
    assay_evaluator *evaluator;
    assay_report_run *row; /* one for each column of the report */
    assay_scores **scores;
    uint32_t n_rows;
    assay_eval_settings settings;
    assay_report report;
} task;

static void release(task *t)
{
    for (uint32_t i = 0; t->scores && i < t->n_rows; i++)
        assay_scores_free(t->scores[i]);
    for (uint32_t i = 0; t->run && i < t->cli->n_args; i++)
        assay_run_free(t->run[i]);
    for (uint32_t i = 0; t->view && i < t->cli->n_args; i++)
        assay_projection_clear(&t->view[i]);
    assay_notes_clear(&t->notes);
    assay_notes_clear(&t->report.notes);
    assay_evaluator_close(t->evaluator);
    assay_golden_free(t->golden);
    assay_workspace_close(&t->workspace);
}

/* ---- settings ---- */

static bool wants_bounds(const assay_cli *cli)
{
    const char *ties = assay_cli_text(cli, "ties");

    return ties && strcmp(ties, "bounds") == 0;
}

static assay_status read_settings(task *t, assay_error *err)
{
    const assay_cli *cli = t->cli;
    assay_eval_options o = {.conventions = assay_cli_text(cli, "conventions"),
                            .level = assay_cli_text(cli, "level"),
                            .ties =
                                wants_bounds(cli) ? NULL : assay_cli_text(cli, "ties"),
                            .duplicates = assay_cli_text(cli, "duplicates"),
                            .empty_relevance = assay_cli_text(cli, "empty-relevance"),
                            .collapse = assay_cli_flag(cli, "collapse"),
                            .confidence = assay_cli_flag(cli, "ci") ? 0.95 : 0,
                            .n_threads = (uint32_t)assay_cli_count(cli, "threads", 0)};

    return assay_eval_words(&o, &t->settings, err);
}

/* ---- loading ---- */

static assay_status load_golden(task *t, assay_error *err)
{
    assay_golden_options o = {.format = assay_cli_text(t->cli, "golden-from"),
                              .topics = assay_cli_text(t->cli, "topics"),
                              .split = assay_cli_text(t->cli, "split"),
                              .max_line = assay_cli_count(t->cli, "max-line", 0)};
    assay_golden_choice choice;
    assay_status st = assay_golden_choose(&t->workspace, assay_cli_text(t->cli, "golden"),
                                          &choice, err);

    if (!st)
        st = assay_golden_choice_load(&t->workspace, &choice, &o, &t->golden, err);
    if (!st)
        assay_cli_warn_notes(t->cli, &t->golden->notes);
    return st;
}

static assay_status load_runs(task *t, assay_error *err)
{
    assay_run_options o = {.format = assay_cli_text(t->cli, "from"),
                           .max_line = assay_cli_count(t->cli, "max-line", 0),
                           .n_threads = t->settings.n_threads};
    assay_slice *id;

    t->run = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_run *, t->cli->n_args);
    id = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_slice, t->golden->n_docs + 1);
    if (!t->run || !id)
        return assay_fail_memory(err, "loading the runs");
    for (uint32_t i = 0; i < t->golden->n_docs; i++)
        id[i] = t->golden->doc[i].id;
    o.doc_id = id;
    o.n_doc_ids = t->golden->n_docs;
    for (uint32_t i = 0; i < t->cli->n_args; i++) {
        assay_status st = assay_run_load(t->cli->arg[i], &o, &t->run[i], err);

        if (st)
            return st;
        assay_cli_warn_notes(t->cli, &t->run[i]->notes);
    }
    return ASSAY_OK;
}

/* ---- the corpus ---- */

enum { MOST_NAMED = 10 };

static assay_status resolve_golden(task *t, assay_error *err)
{
    const assay_trace_options o = {.n_threads = t->settings.n_threads};
    uint32_t most = t->cli->is_verbose ? UINT32_MAX : MOST_NAMED;
    uint32_t stale;
    assay_status st = assay_resolve(t->golden, t->corpus, &o, &t->resolution, err);

    if (st)
        return st;
    if (!assay_resolution_notes(&t->resolution, t->golden, most, &t->notes,
                                &t->cli->arena))
        return assay_fail_memory(err, "resolving the golden set");
    stale = assay_resolution_stale(&t->resolution);
    if (!stale || !assay_cli_flag(t->cli, "strict"))
        return ASSAY_OK;
    assay_cli_warn_notes(t->cli, &t->notes);
    return assay_fail(err, ASSAY_NO, "%u %s stale, and --strict was given", stale,
                      stale == 1 ? "judgment is" : "judgments are");
}

/* Where the chunking of a run is known, evidence can be told at the level of chunks. */
static assay_status view_chunks(task *t, uint32_t i, assay_error *err)
{
    assay_slice chunking = t->placing[i].chunking;

    if (!chunking.len)
        return ASSAY_OK;
    return assay_projection_make(&t->view[i], t->golden, &t->resolution, t->corpus,
                                 chunking, err);
}

/* Evidence of today's texts on both sides: judgments resolved, hits placed. */
static assay_status ask_corpus(task *t, assay_error *err)
{
    const char *name = assay_cli_text(t->cli, "corpus");
    uint32_t n = t->cli->n_args;
    assay_status st;

    if (!name)
        return ASSAY_OK;
    t->placing = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_placing, n);
    t->view = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_projection, n);
    if (!t->placing || !t->view)
        return assay_fail_memory(err, "opening the corpus");
    st = assay_workspace_corpus(&t->workspace, name, &t->corpus, err);
    if (!st)
        st = resolve_golden(t, err);
    for (uint32_t i = 0; !st && i < n; i++) {
        st = assay_place_hits(t->run[i], t->corpus, t->settings.n_threads, &t->placing[i],
                              err);
        if (!st && !assay_placing_note(&t->placing[i], t->cli->arg[i], &t->notes,
                                       &t->cli->arena))
            st = assay_fail_memory(err, "placing hits");
        if (!st)
            st = view_chunks(t, i, err);
    }
    return st;
}

/* ---- names of columns ---- */

/* The stem where it is unique among the arguments, else the path. */
static const char *name_of(task *t, uint32_t i, const char *suffix)
{
    assay_slice name = assay_cli_stem(t->cli->arg[i]);
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    const char *text;

    for (uint32_t j = 0; j < t->cli->n_args; j++)
        if (j != i && assay_slice_eq(assay_cli_stem(t->cli->arg[j]),
                                     assay_cli_stem(t->cli->arg[i])))
            name = assay_slice_of(t->cli->arg[i]);
    assay_buffer_printf(&b, "%.*s%s", (int)name.len, name.ptr, suffix);
    text = assay_arena_string(&t->cli->arena, assay_buffer_view(&b));
    if (b.has_failed)
        text = NULL;
    assay_buffer_clear(&b);
    return text;
}

/* ---- measuring ---- */

static assay_status plan(task *t, assay_error *err)
{
    const assay_run *const *run = (const assay_run *const *)t->run;
    const char *metric;
    assay_status st = assay_evaluator_open(t->golden, &t->settings, &t->evaluator, err);

    if (!st)
        st = assay_evaluator_settle(t->evaluator, run, t->cli->n_args, err);
    for (uint32_t i = 0; !st && (metric = assay_cli_item(t->cli, "metric", i)); i++)
        st = assay_evaluator_measure(t->evaluator, assay_slice_of(metric), err);
    if (!st && !assay_evaluator_n(t->evaluator))
        st = assay_evaluator_standard(t->evaluator, run, t->cli->n_args, err);
    return st;
}

static assay_status measure_one(task *t, uint32_t i, const char *suffix, assay_error *err)
{
    const char *by = assay_cli_text(t->cli, "by");
    assay_report_run *row = &t->row[t->n_rows];
    assay_status st;

    if (t->corpus)
        assay_evaluator_project(t->evaluator, t->view[i].first ? &t->view[i] : NULL);
    st = assay_evaluator_run(t->evaluator, t->run[i], &t->scores[t->n_rows], err);

    if (st)
        return st;
    *row = (assay_report_run){
        .name = name_of(t, i, suffix), .run = t->run[i], .scores = t->scores[t->n_rows]};
    t->n_rows++;
    if (!row->name)
        return assay_fail_memory(err, "naming the runs");
    if (by)
        st = assay_slices_make(t->golden, row->scores, by,
                               (uint32_t)assay_cli_count(t->cli, "min-n", 5),
                               &t->cli->arena, &row->slices, err);
    return st;
}

static assay_status measure_all(task *t, assay_error *err)
{
    uint32_t n = t->cli->n_args;
    assay_status st = ASSAY_OK;

    t->row = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_report_run, 2 * n);
    t->scores = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_scores *, 2 * n);
    if (!t->row || !t->scores)
        return assay_fail_memory(err, "measuring");
    for (uint32_t i = 0; !st && i < n; i++) {
        if (!wants_bounds(t->cli)) {
            st = measure_one(t, i, "", err);
            continue;
        }
        assay_evaluator_ties(t->evaluator, ASSAY_TIES_WORST);
        st = measure_one(t, i, " (worst)", err);
        assay_evaluator_ties(t->evaluator, ASSAY_TIES_BEST);
        if (!st)
            st = measure_one(t, i, " (best)", err);
    }
    return st;
}

/* ---- printing ---- */

static const char *now(assay_arena *arena)
{
    char text[40];
    time_t t = time(NULL);
    struct tm utc;

    if (!gmtime_r(&t, &utc) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        return "";
    return assay_arena_string(arena, assay_slice_of(text));
}

static bool copy_notes(task *t, const assay_notes *from)
{
    for (size_t i = 0; i < from->n; i++)
        if (!assay_notes_add(&t->report.notes, &t->cli->arena, "%s", from->text[i]))
            return false;
    return true;
}

static assay_status fill_report(task *t, assay_error *err)
{
    const assay_notes *notes = assay_evaluator_notes(t->evaluator);
    const char *timestamp = assay_cli_text(t->cli, "timestamp");
    static const char *const empty_words[] = {"skip", "zero", "recall 1, else zero"};
    assay_report *r = &t->report;

    r->golden = t->golden;
    r->conventions = assay_evaluator_conventions(t->evaluator);
    r->empty = empty_words[assay_evaluator_empty(t->evaluator)];
    r->level = assay_evaluator_level(t->evaluator);
    r->run = t->row;
    r->n_runs = t->n_rows;
    r->with_queries = assay_cli_flag(t->cli, "queries");
    r->with_spread = r->conventions->has_spread;
    r->marks_best = assay_cli_flag(t->cli, "best");
    r->confidence = t->settings.confidence;
    r->timestamp = timestamp ? timestamp : now(&t->cli->arena);
    if (!copy_notes(t, &t->notes) || !copy_notes(t, notes))
        return assay_fail_memory(err, "writing the report");
    return ASSAY_OK;
}

/* Shapes of other programs, for those who read their files. */
static const struct {
    const char *conventions;
    const char *format;
    void (*write)(const assay_report *report, assay_buffer *out);
} shapes[] = {
    {"kebab", "json", assay_report_kebab},
    {"evalvault", "json", assay_report_evalvault},
    {"bob", "json", assay_report_bob_json},
    {"bob", "table", assay_report_bob_text},
};

static void write_report(const assay_report *report, const char *format,
                         assay_buffer *out)
{
    for (size_t i = 0; i < ASSAY_COUNT(shapes); i++)
        if (strcmp(shapes[i].format, format) == 0 &&
            strcmp(shapes[i].conventions, report->conventions->name) == 0) {
            shapes[i].write(report, out);
            return;
        }
    assay_writer_find(format)->write(report, out);
}

static assay_status emit(task *t, assay_error *err)
{
    const char *format = assay_cli_format(t->cli, "table");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    write_report(&t->report, format, &out);
    st = assay_cli_emit(t->cli, &out, err);
    out.len = 0;
    /* bob prints and saves at once. */
    if (!st && assay_cli_text(t->cli, "output") &&
        strcmp(t->report.conventions->name, "bob") == 0) {
        assay_report_bob_text(&t->report, &out);
        st = assay_cli_print(&out, err);
    }
    assay_buffer_clear(&out);
    return st;
}

/* ---- the verdict ---- */

static assay_status verdict(const task *t)
{
    bool is_strict = assay_cli_flag(t->cli, "strict");
    bool has_failed = false;

    for (uint32_t i = 0; i < t->n_rows; i++) {
        const assay_scores *s = t->scores[i];

        has_failed |= s->counts.failed > 0;
        if (s->counts.failed && (i == 0 || t->row[i].run != t->row[i - 1].run))
            assay_cli_warn(t->cli, "%s: %u failed %s", t->row[i].name, s->counts.failed,
                           s->counts.failed == 1 ? "query" : "queries");
        if (!is_strict)
            continue;
        has_failed |= s->counts.missing > 0 || s->counts.extra > 0;
        for (uint32_t c = 0; c < s->n_columns; c++)
            has_failed |= s->column[c].is_too_deep;
    }
    return has_failed ? ASSAY_NO : ASSAY_OK;
}

static assay_status run_eval(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli};
    assay_status st;

    st = assay_workspace_open(cli, &t.workspace, err);
    if (!st)
        st = read_settings(&t, err);
    if (!st)
        st = load_golden(&t, err);
    if (!st)
        st = load_runs(&t, err);
    if (!st)
        st = ask_corpus(&t, err);
    if (!st)
        st = plan(&t, err);
    if (!st)
        st = measure_all(&t, err);
    if (!st)
        st = fill_report(&t, err);
    if (!st)
        st = emit(&t, err);
    if (!st)
        st = verdict(&t);
    release(&t);
    return st;
}

const assay_command assay_command_eval = {
    .name = "eval",
    .args = "RUN...",
    .summary = "measure runs against a golden set",
    .details =
        "Runs and golden sets are read in every format that 'assay help' names, found out by\n"
        "content.  Several runs stand side by side.  Queries that a run lacks score 0, failed\n"
        "queries are misses, and both are named; the exit code is 1 when a query failed.\n\n"
        "With --corpus the judgments are looked for in the corpus first: stale ones are named\n"
        "and left out. Hits get the places of their chunks, so that a run that has only chunk\n"
        "ids can be measured at the level of evidence, whatever the chunker was.",
    .example = "  assay eval run.jsonl --golden golden.yaml\n"
               "  assay eval a.run b.run --golden qrels -m ndcg@10,map --ci\n"
               "  assay eval run.jsonl --golden golden.yaml --by difficulty --json",
    .option = options,
    .min_args = 1,
    .max_args = UINT32_MAX,
    .run = run_eval,
};
