/* SPDX-License-Identifier: Apache-2.0 */
/* assay benchmark retrieval: retrievers side by side on one golden set. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "cli/cassette_arg.h"
#include "cli/documents_arg.h"
#include "cli/golden_arg.h"
#include "cli/retrieve_arg.h"
#include "pipeline/benchmark.h"
#include "report/bench_report.h"

static const assay_option options[] = {
    {'m', "methods", ASSAY_OPTION_TEXT, "LIST", NULL,
     "bm25,dense,hybrid,graphrag, each with parameters in brackets if need be"},
    {'k', "top-k", ASSAY_OPTION_COUNT, "N", NULL,
     "cutoff; 5 below 1,000 documents, else 10"},
    {0, "ndcg-k", ASSAY_OPTION_COUNT, "N", NULL, "cutoff of nDCG; default that of -k"},
    {'q', "queries", ASSAY_OPTION_FLAG, NULL, NULL, "a row for each query as well"},
    {0, "empty-relevance", ASSAY_OPTION_CHOICE, "RULE", "skip|zero",
     "queries with nothing relevant"},
    {0, "fail-under", ASSAY_OPTION_LIST, "METRIC=V", NULL,
     "exit 1 when a method is below: recall, precision, mrr or ndcg"},
    {0, "controls", ASSAY_OPTION_FLAG, NULL, NULL,
     "rulers beside the methods: random, oracle and bm25"},
    {0, "seed", ASSAY_OPTION_COUNT, "N", NULL, "of the control random (0)"},
    {0, "allow-fallback", ASSAY_OPTION_FLAG, NULL, NULL,
     "a method that cannot be built is bm25 instead, and says so"},
    {0, "conventions", ASSAY_OPTION_CHOICE, "NAME", "assay|kebab|bob|evalvault|trec",
     "whose rules to follow; default evalvault"},
    {0, "level", ASSAY_OPTION_CHOICE, "LEVEL", "auto|evidence|chunk|doc",
     "what is to be found; default the conventions' (evalvault: doc)"},
    {0, "no-times", ASSAY_OPTION_FLAG, NULL, NULL,
     "leave out what differs from run to run"},
    ASSAY_OPTIONS_RETRIEVE,
    ASSAY_OPTIONS_CASSETTE,
    ASSAY_OPTIONS_GOLDEN,
    ASSAY_OPTIONS_CORPUS,
    ASSAY_OPTIONS_OUTPUT("table|json|csv|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    assay_workspace workspace;
    assay_cassette *cassette;
    assay_golden *golden;
    assay_documents documents;
    assay_bench *bench;
} task;

static void release(task *t)
{
    assay_bench_free(t->bench);
    assay_documents_close(&t->documents);
    assay_golden_free(t->golden);
    assay_workspace_close(&t->workspace);
}

/* ---- input ---- */

static assay_status read_settings(const task *t, assay_bench_settings *out,
                                  assay_error *err)
{
    assay_cli *cli = t->cli;
    assay_status st;
    const char *empty = assay_cli_text(cli, "empty-relevance");
    const char *level = assay_cli_text(cli, "level");
    const char *conventions = assay_cli_text(cli, "conventions");

    *out = (assay_bench_settings){
        .methods = assay_cli_text(cli, "methods"),
        .k = (uint32_t)assay_cli_count(cli, "top-k", 0),
        .ndcg_k = (uint32_t)assay_cli_count(cli, "ndcg-k", 0),
        .with_controls = assay_cli_flag(cli, "controls"),
        .seed = assay_cli_count(cli, "seed", 0),
        .allow_fallback = assay_cli_flag(cli, "allow-fallback"),
        .has_empty_rule = empty != NULL,
        .empty_rule =
            empty && strcmp(empty, "zero") == 0 ? ASSAY_EMPTY_ZERO : ASSAY_EMPTY_ABSENT,
        .conventions =
            conventions ? assay_conventions_find(assay_slice_of(conventions)) : NULL,
    };
    if (level)
        assay_level_find(level, &out->level);
    st = assay_retrieve_arg(&t->workspace, &out->source, err);
    out->source.embed.cassette = t->cassette;
    return st;
}

/* ---- output ---- */

static const struct {
    const char *title;
    const char *key;
    bool is_ndcg;
    bool has_cutoff; /* in its name */
} figures[ASSAY_BENCH_FIGURES] = {
    [ASSAY_BENCH_RECALL] = {"Recall", "recall", false, true},
    [ASSAY_BENCH_PRECISION] = {"Precision", "precision", false, true},
    [ASSAY_BENCH_MRR] = {"MRR", "mrr", false, false},
    [ASSAY_BENCH_NDCG] = {"nDCG", "ndcg", true, true},
    [ASSAY_BENCH_P50] = {"latency p50", "latency_p50_ms", false, false},
    [ASSAY_BENCH_P95] = {"latency p95", "latency_p95_ms", false, false},
};

typedef struct lines {
    assay_bench_line line[ASSAY_BENCH_FIGURES];
    char title[ASSAY_BENCH_FIGURES][32];
    char key[ASSAY_BENCH_FIGURES][32];
} lines;

static void make_lines(const assay_bench *b, lines *out)
{
    for (int i = 0; i < ASSAY_BENCH_FIGURES; i++) {
        uint32_t k = figures[i].is_ndcg ? b->ndcg_k : b->k;

        if (figures[i].has_cutoff) {
            snprintf(out->title[i], sizeof *out->title, "%s@%u", figures[i].title, k);
            snprintf(out->key[i], sizeof *out->key, "%s_at_%u", figures[i].key, k);
        } else {
            snprintf(out->title[i], sizeof *out->title, "%s", figures[i].title);
            snprintf(out->key[i], sizeof *out->key, "%s", figures[i].key);
        }
        out->line[i] = (assay_bench_line){
            .title = out->title[i],
            .key = out->key[i],
            .column = b->column[i],
            .best = assay_bench_best(b, (assay_bench_figure)i),
            .is_time = i >= ASSAY_BENCH_P50,
        };
    }
}

static void make_columns(const assay_bench *b, assay_bench_column *out)
{
    for (uint32_t i = 0; i < b->n_methods; i++) {
        const assay_bench_method *m = &b->method[i];

        out[i] = (assay_bench_column){.name = m->name,
                                      .backend = m->backend,
                                      .why = m->why,
                                      .identity = m->identity,
                                      .index_ms = m->index_ms,
                                      .run = m->run,
                                      .scores = m->scores};
    }
}

static assay_status print(const task *t, assay_error *err)
{
    static const struct {
        const char *name;
        void (*write)(const assay_bench_sheet *sheet, assay_buffer *out);
    } writers[] = {
        {"table", assay_bench_table},
        {"json", assay_bench_json},
        {"csv", assay_bench_csv},
        {"md", assay_bench_markdown},
    };
    const assay_bench *b = t->bench;
    const char *format = assay_cli_format(t->cli, "table");
    assay_bench_column column[ASSAY_BENCH_METHODS];
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    lines l;
    assay_bench_sheet sheet = {
        .golden = b->golden,
        .conventions = b->conventions,
        .empty = b->empty,
        .n_passages = b->n_passages,
        .k = b->k,
        .ndcg_k = b->ndcg_k,
        .depth = b->depth,
        .line = l.line,
        .n_lines = ASSAY_BENCH_FIGURES,
        .method = column,
        .n_methods = b->n_methods,
        .with_queries = assay_cli_flag(t->cli, "queries"),
        .without_times = assay_cli_flag(t->cli, "no-times"),
        .notes = &b->notes,
    };
    assay_status st;

    make_lines(b, &l);
    make_columns(b, column);
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (strcmp(format, writers[i].name) == 0)
            writers[i].write(&sheet, &out);
    st = out.has_failed ? assay_fail_memory(err, "printing the benchmark")
                        : assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

/* ---- limits ---- */

/* "recall=0.6" or "recall@5=0.6" or evalvault's "recall_at_5=0.6". */
static assay_status read_limit(const assay_bench *b, const char *text,
                               assay_bench_figure *figure, double *least,
                               assay_error *err)
{
    const char *equals = strrchr(text, '=');
    assay_slice name = {text, equals ? (size_t)(equals - text) : 0};
    lines l;

    if (!equals || !assay_number_read(assay_slice_of(equals + 1), least))
        return assay_fail(err, ASSAY_EUSAGE, "--fail-under wants METRIC=VALUE, not '%s'",
                          text);
    make_lines(b, &l);
    for (int i = 0; i < ASSAY_BENCH_P50; i++) {
        if (!assay_slice_is_nocase(name, l.title[i]) &&
            !assay_slice_is_nocase(name, l.key[i]) &&
            !assay_slice_is_nocase(name, figures[i].key))
            continue;
        *figure = (assay_bench_figure)i;
        return ASSAY_OK;
    }
    return assay_fail(err, ASSAY_EUSAGE,
                      "--fail-under: '%.*s' is not measured; there are %s, %s, %s, %s",
                      ASSAY_QUOTE(name), l.title[0], l.title[1], l.title[2], l.title[3]);
}

static assay_status check_limits(const task *t, assay_error *err)
{
    const char *text;

    for (uint32_t i = 0; (text = assay_cli_item(t->cli, "fail-under", i)) != NULL; i++) {
        assay_bench_figure figure = ASSAY_BENCH_RECALL;
        double least = 0;
        assay_status st = read_limit(t->bench, text, &figure, &least, err);

        if (st)
            return st;
        for (uint32_t m = 0; m < t->bench->n_methods; m++) {
            double value = assay_bench_value(t->bench, m, figure);

            if (t->bench->method[m].is_control)
                continue;

            /* A value that does not exist is below every limit. */
            if (!(value >= least - 1e-9))
                return assay_fail(err, ASSAY_NO, "%.*s: %s is %.4f, below %s",
                                  ASSAY_QUOTE(t->bench->method[m].name),
                                  figures[figure].title, value, strrchr(text, '=') + 1);
        }
    }
    return ASSAY_OK;
}

static assay_status check_failures(const task *t, assay_error *err)
{
    for (uint32_t m = 0; m < t->bench->n_methods; m++) {
        const assay_bench_method *method = &t->bench->method[m];
        uint32_t failed = method->scores->counts.failed;

        if (failed)
            return assay_fail(err, ASSAY_NO, "%.*s: %u of %u queries failed",
                              ASSAY_QUOTE(method->name), failed,
                              method->scores->counts.total);
    }
    return ASSAY_OK;
}

static assay_status run_benchmark(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli};
    assay_bench_settings settings;
    assay_status st = assay_workspace_open(cli, &t.workspace, err);

    if (!st)
        st = assay_cassette_arg_open(cli, false, &t.cassette, err);
    if (!st)
        st = read_settings(&t, &settings, err);
    if (!st)
        st = assay_golden_arg_load(cli, cli->arg[0], true, &t.golden, err);
    if (!st)
        st = assay_documents_open(&t.workspace, t.golden,
                                  (uint32_t)assay_cli_count(cli, "jobs", 0), &t.documents,
                                  err);
    if (!st) {
        assay_cli_warn_notes(cli, &t.golden->notes);
        st = assay_benchmark(t.golden, &t.documents.passages, &settings, &t.bench, err);
    }
    if (!st) {
        assay_cli_warn_notes(cli, &t.bench->notes);
        st = print(&t, err);
    }
    if (!st)
        st = check_limits(&t, err);
    if (!st)
        st = check_failures(&t, err);
    release(&t);
    return assay_cassette_arg_finish(cli, t.cassette, st, err);
}

const assay_command assay_command_benchmark = {
    .name = "benchmark retrieval",
    .args = "FILE|FOLDER",
    .summary = "bm25, dense, hybrid and graphrag side by side on a golden set",
    .details =
        "FILE is an EvalVault ground truth or a BEIR folder, which bring their documents, "
        "or any golden set together with --corpus. Retrievers are asked as deep as any "
        "figure needs.\n\n"
        "Warnings are given for Recall@5 below 0.6, MRR below 0.5 and nDCG@10 below 0.6, "
        "whatever the cutoff. A method that cannot be built fails the command (exit 4).",
    .example =
        "assay benchmark retrieval ground_truth.json\n"
        "assay benchmark retrieval beir/scifact -m 'bm25,bm25(k1=0.9,b=0.4)' -k 10\n"
        "assay benchmark retrieval golden.yaml --corpus handbook -o result.json",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = run_benchmark,
};
