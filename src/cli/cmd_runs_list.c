/* SPDX-License-Identifier: Apache-2.0 */
/* assay runs list: the stored runs, a line each, newest first. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "cli/runs_arg.h"

static const assay_option options[] = {
    ASSAY_OPTIONS_RUNS,
    {'n', "limit", ASSAY_OPTION_COUNT, "N", NULL, "at most so many; 0 = all (50)"},
    {'m', "metric", ASSAY_OPTION_LIST, "METRIC", NULL,
     "metrics to show, as stored: mrr, recall@5; commas separate"},
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json|csv|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

enum { METRICS_MOST = 32, STANDARD_LIMIT = 50 };

typedef struct task {
    assay_cli *cli;
    assay_runs_arg arg;
    assay_stored *stored;
    uint32_t n;
    uint32_t n_more; /* 1 when the limit cut some off */
    assay_run_view *view;
    assay_slice metric[METRICS_MOST];
    uint32_t n_metrics;
} task;

static assay_status read_runs(task *t, assay_error *err)
{
    uint32_t limit = (uint32_t)assay_cli_count(t->cli, "limit", STANDARD_LIMIT);
    assay_store_filter filter;
    assay_status st = assay_runs_filter(t->cli, &filter, err);

    if (st)
        return st;
    filter.most = limit ? limit + 1 : 0;
    st = assay_store_list(t->arg.store, &filter, &t->cli->arena, &t->stored, &t->n, err);
    if (st)
        return st;
    if (limit && t->n > limit) {
        t->n = limit;
        t->n_more = 1;
    }
    return assay_runs_view(t->cli, t->stored, t->n, &t->view, err);
}

/* ---- which metrics ---- */

static bool is_measured(const task *t, assay_slice metric)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (assay_aggregate_find(&t->view[i].aggregate, metric))
            return true;
    return false;
}

static void take_metrics(task *t)
{
    static const char *const leading[] = {"mrr", "recall@5", "ndcg@10"};
    const char *text;

    for (uint32_t i = 0; (text = assay_cli_item(t->cli, "metric", i)); i++) {
        assay_slice rest = assay_slice_of(text);
        assay_slice part;

        while (assay_slice_part(&rest, ',', &part) && t->n_metrics < METRICS_MOST)
            t->metric[t->n_metrics++] = assay_slice_trim(part);
    }
    if (t->n_metrics)
        return;
    for (size_t i = 0; i < ASSAY_COUNT(leading); i++)
        if (is_measured(t, assay_slice_of(leading[i])))
            t->metric[t->n_metrics++] = assay_slice_of(leading[i]);
    /* Runs of other conventions lead with other things. */
    for (uint32_t i = 0; i < t->n && !t->n_metrics; i++)
        for (uint32_t m = 0; m < t->view[i].aggregate.n_metrics && m < 3; m++)
            t->metric[t->n_metrics++] = t->view[i].aggregate.metric[m].name;
}

/* ---- printing ---- */

static void put_value(const assay_run_view *v, assay_slice metric, const char *format,
                      assay_grid *grid)
{
    const assay_aggregated_metric *m = assay_aggregate_find(&v->aggregate, metric);
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    if (!m || isnan(m->value)) {
        assay_grid_text(grid, strcmp(format, "csv") == 0 ? "" : m ? "n/a" : "-");
    } else if (strcmp(format, "csv") == 0) {
        assay_buffer_double(&text, m->value);
        assay_grid_add(grid, assay_buffer_view(&text));
    } else {
        assay_grid_printf(grid, "%.4f", m->value);
    }
    assay_buffer_clear(&text);
}

/* In a table the golden set goes by its name, and by its hash where it has none. */
static void put_golden(const assay_run_view *v, const char *format, assay_grid *grid)
{
    assay_slice hash = v->stored->golden_hash;

    if (strcmp(format, "csv") == 0) {
        assay_grid_add(grid, hash);
        return;
    }
    if (v->snapshot.golden_name.len)
        assay_grid_short(grid, v->snapshot.golden_name, format);
    else
        assay_grid_printf(grid, "%.*s", hash.len < 8 ? (int)hash.len : 8, hash.ptr);
}

static void put_row(const task *t, const assay_run_view *v, const char *format,
                    assay_grid *grid)
{
    const assay_stored *s = v->stored;
    bool is_csv = strcmp(format, "csv") == 0;
    assay_buffer tags = ASSAY_BUFFER_EMPTY;
    char when[20];

    assay_runs_when(s->created_at, when);
    if (is_csv) {
        assay_grid_add(grid, s->run_id);
        assay_grid_add(grid, s->created_at);
    } else {
        assay_grid_printf(grid, "%.*s", v->id_len, s->run_id.ptr);
        assay_grid_text(grid, when);
    }
    assay_grid_short(grid, s->suite, format);
    assay_grid_short(grid, s->method, format);
    put_golden(v, format, grid);
    if (is_csv || s->n_done == s->n_planned)
        assay_grid_count(grid, s->n_done);
    else
        assay_grid_printf(grid, "%u/%u", s->n_done, s->n_planned);
    if (is_csv)
        assay_grid_count(grid, s->n_planned);
    assay_grid_count(grid, s->n_failed);
    for (uint32_t i = 0; i < t->n_metrics; i++)
        put_value(v, t->metric[i], format, grid);
    assay_runs_tags(s, &tags);
    assay_grid_short(grid, assay_buffer_view(&tags), format);
    assay_grid_printf(grid, "%.*s",
                      is_csv              ? (int)s->commit.len
                      : s->commit.len < 8 ? (int)s->commit.len
                                          : 8,
                      s->commit.ptr);
    grid->has_failed |= tags.has_failed;
    assay_buffer_clear(&tags);
}

static void print_grid(const task *t, const char *format, assay_buffer *out)
{
    bool is_csv = strcmp(format, "csv") == 0;
    assay_grid grid = {.n_columns = 9 + t->n_metrics + (is_csv ? 1 : 0)};
    uint32_t c = 5;

    assay_grid_text(&grid, "run");
    assay_grid_text(&grid, "created");
    assay_grid_text(&grid, "suite");
    assay_grid_text(&grid, "method");
    assay_grid_text(&grid, "golden");
    grid.is_right[c++] = true;
    assay_grid_text(&grid, is_csv ? "done" : "n");
    if (is_csv) {
        grid.is_right[c++] = true;
        assay_grid_text(&grid, "planned");
    }
    grid.is_right[c++] = true;
    assay_grid_text(&grid, "failed");
    for (uint32_t i = 0; i < t->n_metrics; i++) {
        grid.is_right[c++] = true;
        assay_grid_name(&grid, t->metric[i]);
    }
    assay_grid_text(&grid, "tags");
    assay_grid_text(&grid, "commit");
    for (uint32_t i = 0; i < t->n; i++)
        put_row(t, &t->view[i], format, &grid);
    assay_grid_write(&grid, format, out);
    out->has_failed |= grid.has_failed;
    assay_grid_clear(&grid);
    if (t->n_more && strcmp(format, "table") == 0)
        assay_buffer_printf(out, "there are more than %u: see --limit\n", t->n);
}

static void print_json(const task *t, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_name(&w, "schema", ASSAY_LIT("assay.runs/1"));
    assay_json_name(&w, "store", assay_slice_of(assay_store_place(t->arg.store)));
    assay_json_key(&w, "runs");
    assay_json_list(&w);
    for (uint32_t i = 0; i < t->n; i++) {
        assay_json_object(&w);
        assay_runs_json(&t->stored[i], &w);
        assay_json_key(&w, "aggregate");
        assay_json_raw(&w, t->stored[i].aggregate);
        assay_json_object_end(&w);
    }
    assay_json_list_end(&w);
    assay_json_key(&w, "has_more");
    assay_json_bool(&w, t->n_more > 0);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status report(task *t, assay_error *err)
{
    const char *format = assay_cli_format(t->cli, "table");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    take_metrics(t);
    if (strcmp(format, "json") == 0)
        print_json(t, &out);
    else if (!t->n && strcmp(format, "table") == 0)
        assay_buffer_printf(&out, "no such runs in '%s'\n",
                            assay_store_place(t->arg.store));
    else
        print_grid(t, format, &out);
    st = assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_list(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli};
    assay_status st = assay_runs_open(cli, ASSAY_STORE_READ, &t.arg, err);

    if (st)
        return st;
    st = read_runs(&t, err);
    if (!st)
        st = report(&t, err);
    assay_runs_close(&t.arg);
    return st;
}

const assay_command assay_command_runs_list = {
    .name = "runs list",
    .args = "",
    .summary = "the stored runs, newest first",
    .details =
        "n is the number of queries that have a result, 'done/planned' for a run that is\n"
        "not finished.  The metrics are those that were stored with the run; 'assay metrics'\n"
        "measures anew.  Wherever a command wants a RUN, any beginning of its id will do that\n"
        "no other run has, or latest, latest~1, a baseline's name, or KEY=VALUE of a tag.",
    .example = "  assay runs list --suite nightly --since 2026-01-01\n"
               "  assay runs list --tag branch=main -m ndcg@10,recall@10 --format csv",
    .option = options,
    .ignores_settings = true,
    .run = run_list,
};
