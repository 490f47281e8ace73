/* SPDX-License-Identifier: Apache-2.0 */
/* assay runs show: all that the store knows of one run. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "cli/run_result.h"
#include "cli/runs_arg.h"
#include "golden/frozen.h"
#include "report/bar.h"

static const assay_option options[] = {
    {'q', "query", ASSAY_OPTION_LIST, "ID", NULL,
     "the result of this query: hits, answer, error"},
    {0, "hits", ASSAY_OPTION_COUNT, "N", NULL, "hits of a query to show; 0 = all (10)"},
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

enum { FAILED_MOST = 10 };

typedef struct task {
    assay_cli *cli;
    assay_runs_arg arg;
    assay_stored stored;
    assay_run_view *view;
    assay_run *run;
    assay_golden *golden; /* null = none, or not asked for */
    uint32_t *query;      /* results asked for */
    uint32_t n_queries;
} task;

/* ---- reading ---- */

static assay_status find_queries(task *t, assay_error *err)
{
    const char *id;
    uint32_t n = 0;

    while (assay_cli_item(t->cli, "query", n))
        n++;
    t->query = ASSAY_ARENA_ARRAY(&t->cli->arena, uint32_t, n + 1);
    if (!t->query)
        return assay_fail_memory(err, "showing a run");
    for (uint32_t i = 0; (id = assay_cli_item(t->cli, "query", i)); i++) {
        uint32_t found = assay_dict_find(&t->run->ids, assay_slice_of(id));

        if (found == ASSAY_NONE)
            return assay_fail(err, ASSAY_EUSAGE,
                              "run '%.*s' has no result for query '%.80s'",
                              ASSAY_QUOTE(t->stored.run_id), id);
        t->query[t->n_queries++] = found;
    }
    return ASSAY_OK;
}

/* The golden set says what was expected of a query. */
static assay_status read_golden(task *t, assay_error *err)
{
    assay_slice text;
    assay_status st;

    if (!t->n_queries || !t->stored.golden_hash.len)
        return ASSAY_OK;
    st = assay_store_get_golden(t->arg.store, t->stored.golden_hash, &t->cli->arena,
                                &text, err);
    return st ? st : assay_golden_thaw("golden set", text, &t->golden, err);
}

static assay_status read_run(task *t, assay_error *err)
{
    assay_status st =
        assay_store_find(t->arg.store, t->cli->arg[0], &t->cli->arena, &t->stored, err);

    if (!st)
        st = assay_runs_view(t->cli, &t->stored, 1, &t->view, err);
    if (!st)
        st = assay_store_load(t->arg.store, t->stored.run_id, &t->run, err);
    if (!st)
        st = find_queries(t, err);
    return st ? st : read_golden(t, err);
}

/* ---- for people ---- */

static void put_line(assay_buffer *out, const char *key, assay_slice text)
{
    if (!text.len)
        return;
    assay_buffer_printf(out, "%-11s", key);
    assay_bar_name(text, SIZE_MAX, out);
    assay_buffer_char(out, '\n');
}

/* "name (hash, path)", as far as known. */
static void put_named(assay_buffer *out, const char *key, assay_slice name,
                      assay_slice hash, assay_slice path)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    if (name.len)
        assay_buffer_slice(&text, name);
    if (path.len && !assay_slice_eq(path, name))
        assay_buffer_printf(&text, "%s%.*s", text.len ? ", " : "", (int)path.len,
                            path.ptr);
    if (hash.len)
        assay_buffer_printf(&text, "%s%.*s", text.len ? ", " : "",
                            hash.len < 12 ? (int)hash.len : 12, hash.ptr);
    put_line(out, key, assay_buffer_view(&text));
    out->has_failed |= text.has_failed;
    assay_buffer_clear(&text);
}

static void put_made(const task *t, assay_buffer *out)
{
    const assay_stored *s = &t->stored;
    char when[20];

    assay_runs_when(s->created_at, when);
    assay_buffer_printf(out, "%-11s%s", "created", when);
    assay_runs_when(s->finished_at, when);
    if (s->finished_at.len)
        assay_buffer_printf(out, ", finished %s", when);
    assay_buffer_printf(out, "\n%-11s%.*s, %u of %u queries, %u failed\n", "status",
                        ASSAY_QUOTE(s->status), s->n_done, s->n_planned, s->n_failed);
}

static void put_head(const task *t, assay_buffer *out)
{
    const assay_stored *s = &t->stored;
    const assay_snapshot *shot = &t->view->snapshot;
    assay_buffer tags = ASSAY_BUFFER_EMPTY;

    put_line(out, "run", s->run_id);
    put_made(t, out);
    put_line(out, "suite", s->suite);
    put_line(out, "source", s->source);
    put_line(out, "method", s->method);
    if (!assay_slice_eq(shot->identity, s->method))
        put_line(out, "identity", shot->identity);
    put_line(out, "system", shot->system);
    put_named(out, "golden", shot->golden_name, s->golden_hash, shot->golden_path);
    put_named(out, "corpus", shot->corpus_name, s->corpus_hash, ASSAY_LIT(""));
    put_line(out, "chunker", s->chunker);
    put_line(out, "embedder", shot->embedder);
    put_line(out, "answerer", shot->answerer);
    put_line(out, "model", shot->model);
    put_line(out, "prompt", shot->prompt);
    if (s->k)
        assay_buffer_printf(out, "%-11s%u\n", "k", s->k);
    if (s->depth)
        assay_buffer_printf(out, "%-11s%u\n", "depth", s->depth);
    put_line(out, "commit", s->commit);
    assay_runs_tags(s, &tags);
    put_line(out, "tags", assay_buffer_view(&tags));
    out->has_failed |= tags.has_failed;
    assay_buffer_clear(&tags);
}

static void put_metrics(const assay_aggregated *a, assay_buffer *out)
{
    assay_grid grid = {.n_columns = 3};

    if (!a->n_metrics) {
        assay_buffer_text(out, "\nnot measured yet; see 'assay metrics'\n");
        return;
    }
    assay_buffer_printf(out, "\n%s by %.*s's conventions, level %.*s\n\n",
                        a->is_recorded ? "recorded" : "measured",
                        ASSAY_QUOTE(a->conventions), ASSAY_QUOTE(a->level));
    grid.is_right[1] = grid.is_right[2] = true;
    assay_grid_text(&grid, "metric");
    assay_grid_text(&grid, "value");
    assay_grid_text(&grid, "n");
    for (uint32_t i = 0; i < a->n_metrics; i++) {
        assay_grid_name(&grid, a->metric[i].name);
        if (isnan(a->metric[i].value))
            assay_grid_text(&grid, "n/a");
        else
            assay_grid_printf(&grid, "%.4f", a->metric[i].value);
        if (a->metric[i].n == ASSAY_NONE)
            assay_grid_text(&grid, "-");
        else
            assay_grid_count(&grid, a->metric[i].n);
    }
    assay_grid_print(&grid, out);
    out->has_failed |= grid.has_failed;
    assay_grid_clear(&grid);
}

static void put_counts(const assay_aggregated *a, assay_buffer *out)
{
    const struct {
        const char *name;
        int64_t n;
    } count[] = {{"queries", a->total},
                 {"failed", a->failed},
                 {"missing", a->missing},
                 {"skipped", a->skipped},
                 {"ineligible", a->ineligible}};
    bool is_first = true;

    for (size_t i = 0; i < ASSAY_COUNT(count); i++) {
        if (count[i].n < 0)
            continue;
        assay_buffer_printf(out, "%s%lld %s", is_first ? "\n" : ", ",
                            (long long)count[i].n, count[i].name);
        is_first = false;
    }
    if (!is_first)
        assay_buffer_char(out, '\n');
}

static void put_failures(const task *t, assay_buffer *out)
{
    uint32_t most = t->cli->is_verbose ? UINT32_MAX : FAILED_MOST;
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->run->n_results; i++) {
        const assay_result *r = &t->run->result[i];

        if (!r->error.len)
            continue;
        if (!n)
            assay_buffer_text(out, "\nfailed queries\n");
        if (n++ >= most)
            continue;
        assay_buffer_text(out, "  ");
        assay_bar_name(r->query_id, SIZE_MAX, out);
        assay_buffer_text(out, ": ");
        assay_bar_name(r->error, SIZE_MAX, out);
        assay_buffer_char(out, '\n');
    }
    if (n > most)
        assay_buffer_printf(out, "  and %u more; see --verbose\n", n - most);
}

static const assay_query *expected(const task *t, const assay_result *r)
{
    uint32_t q = t->golden ? assay_dict_find(&t->golden->ids, r->query_id) : ASSAY_NONE;

    return q == ASSAY_NONE ? NULL : &t->golden->query[q];
}

static void print_text(const task *t, assay_buffer *out)
{
    uint32_t most = (uint32_t)assay_cli_count(t->cli, "hits", 10);

    /* Who asks for a query has seen the rest. */
    if (!t->n_queries) {
        put_head(t, out);
        put_metrics(&t->view->aggregate, out);
        put_counts(&t->view->aggregate, out);
        put_failures(t, out);
    }
    for (uint32_t i = 0; i < t->n_queries; i++) {
        const assay_result *r = &t->run->result[t->query[i]];

        if (i)
            assay_buffer_char(out, '\n');
        assay_result_print(r, t->golden, expected(t, r), most, out);
    }
}

/* ---- for programs ---- */

static void json_failures(const task *t, assay_json_writer *w)
{
    assay_json_key(w, "failures");
    assay_json_list(w);
    for (uint32_t i = 0; i < t->run->n_results; i++) {
        const assay_result *r = &t->run->result[i];

        if (!r->error.len)
            continue;
        assay_json_flat_object(w);
        assay_json_name(w, "query_id", r->query_id);
        assay_json_name(w, "error", r->error);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

static assay_status json_results(const task *t, assay_json_writer *w, assay_error *err)
{
    assay_buffer line = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    assay_json_key(w, "results");
    assay_json_list(w);
    for (uint32_t i = 0; !st && i < t->n_queries; i++) {
        line.len = 0;
        st = assay_result_json(t->run, t->query[i], &line, err);
        assay_json_raw(w, assay_slice_trim(assay_buffer_view(&line)));
    }
    assay_json_list_end(w);
    assay_buffer_clear(&line);
    return st;
}

static assay_status print_json(const task *t, assay_buffer *out, assay_error *err)
{
    assay_json_writer w = assay_json_writer_of(out, 2);
    assay_status st;

    assay_json_object(&w);
    assay_json_name(&w, "schema", ASSAY_LIT("assay.run/1"));
    assay_runs_json(&t->stored, &w);
    assay_json_key(&w, "snapshot");
    assay_json_raw(&w, t->stored.snapshot);
    assay_json_key(&w, "aggregate");
    assay_json_raw(&w, t->stored.aggregate);
    json_failures(t, &w);
    st = json_results(t, &w, err);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
    return st;
}

static assay_status report(const task *t, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    if (strcmp(assay_cli_format(t->cli, "table"), "json") == 0)
        st = print_json(t, &out, err);
    else
        print_text(t, &out);
    if (!st)
        st = assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_show(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli};
    assay_status st = assay_runs_open(cli, ASSAY_STORE_READ, &t.arg, err);

    if (st)
        return st;
    st = read_run(&t, err);
    if (!st)
        st = report(&t, err);
    assay_golden_free(t.golden);
    assay_run_free(t.run);
    assay_runs_close(&t.arg);
    return st;
}

const assay_command assay_command_runs_show = {
    .name = "runs show",
    .args = "RUN",
    .summary = "all that the store knows of one run",
    .details =
        "How it was made, what it measured, and which queries failed.  With --query the\n"
        "result of that query instead: what was expected, its hits with the grades that\n"
        "they have in the run's own golden set, its answer, its error.",
    .example =
        "  assay runs show latest\n  assay runs show latest --query q-017 --hits 20\n"
        "  assay runs show branch=main --json",
    .option = options,
    .ignores_settings = true,
    .min_args = 1,
    .max_args = 1,
    .run = run_show,
};
