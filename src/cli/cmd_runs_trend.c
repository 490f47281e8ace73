/* SPDX-License-Identifier: Apache-2.0 */
/* assay runs trend: one metric over the stored runs, oldest first, a series a method. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "cli/runs_arg.h"
#include "metric/metric.h"
#include "report/spark.h"

static const assay_option options[] = {
    ASSAY_OPTIONS_RUNS,
    {'n', "limit", ASSAY_OPTION_COUNT, "N", NULL,
     "only the newest N runs; 0 = all (100)"},
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json|csv|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

enum { STANDARD_LIMIT = 100, BAR_COLUMNS = 20 };

/* One run of a series. */
typedef struct point {
    const assay_run_view *view;
    const assay_aggregated_metric *metric;
    double value;          /* NaN = none */
    double delta;          /* from the one before it; NaN where they cannot be compared */
    const char *breaks[5]; /* what differs from the one before, so that they cannot */
    uint32_t n_breaks;
} point;

typedef struct task {
    assay_cli *cli;
    assay_runs_arg arg;
    assay_slice metric; /* canonical */
    assay_stored *stored;
    uint32_t n;
    assay_run_view *view;
    point *point; /* by method, then by age */
    uint32_t n_points;
    uint32_t n_without; /* runs that did not measure it */
} task;

/* ---- the metric ---- */

/* Stored under its short spelling, so any alias will do. */
static assay_status read_metric(task *t, assay_error *err)
{
    assay_slice said = assay_slice_of(t->cli->arg[0]);
    assay_measures measures = {0};
    assay_status st = assay_measure_parse(said, &measures, &t->cli->arena, err);

    if (!st && measures.n != 1)
        st = assay_fail(err, ASSAY_EUSAGE, "'%.80s' is %zu metrics; want one",
                        t->cli->arg[0], measures.n);
    if (!st)
        t->metric = assay_slice_of(measures.item[0].name);
    assay_measures_clear(&measures);
    return st;
}

/* ---- the series ---- */

static int by_method_and_age(const void *a, const void *b)
{
    const assay_stored *x = ((const point *)a)->view->stored;
    const assay_stored *y = ((const point *)b)->view->stored;
    int order = assay_slice_cmp(x->method, y->method);

    if (!order)
        order = assay_slice_cmp(x->created_at, y->created_at);
    return order ? order : assay_slice_cmp(x->run_id, y->run_id);
}

static bool is_same_series(const point *a, const point *b)
{
    return assay_slice_eq(a->view->stored->method, b->view->stored->method);
}

/* The golden set that the value was measured with. */
static assay_slice golden_of(const point *p)
{
    assay_slice hash = p->view->aggregate.golden_hash;

    return hash.len ? hash : p->view->stored->golden_hash;
}

/* Whether both set out to answer the same queries of their golden sets. */
static bool is_same_plan(const assay_snapshot *a, const assay_snapshot *b)
{
    if (a->is_part != b->is_part || (a->is_part && a->n_plan != b->n_plan))
        return false;
    for (uint32_t i = 0; a->is_part && i < a->n_plan; i++)
        if (!assay_slice_eq(a->plan[i], b->plan[i]))
            return false;
    return true;
}

static void compare(const point *before, point *now)
{
    const assay_stored *a = before->view->stored;
    const assay_stored *b = now->view->stored;
    const struct {
        const char *what;
        assay_slice a;
        assay_slice b;
    } row[] = {
        {"golden set", golden_of(before), golden_of(now)},
        {"corpus", a->corpus_hash, b->corpus_hash},
        {"conventions", before->view->aggregate.conventions,
         now->view->aggregate.conventions},
        {"level", before->metric->level, now->metric->level},
    };

    for (size_t i = 0; i < ASSAY_COUNT(row); i++)
        if (!assay_slice_eq(row[i].a, row[i].b))
            now->breaks[now->n_breaks++] = row[i].what;
    if (!is_same_plan(&before->view->snapshot, &now->view->snapshot))
        now->breaks[now->n_breaks++] = "queries";
    if (!now->n_breaks)
        now->delta = now->value - before->value;
}

static assay_status make_series(task *t, assay_error *err)
{
    t->point = ASSAY_ARENA_ARRAY(&t->cli->arena, point, t->n + 1);
    if (!t->point)
        return assay_fail_memory(err, "drawing a trend");
    for (uint32_t i = 0; i < t->n; i++) {
        const assay_aggregated_metric *m =
            assay_aggregate_find(&t->view[i].aggregate, t->metric);

        t->n_without += !m;
        if (m)
            t->point[t->n_points++] = (point){.view = &t->view[i],
                                              .metric = m,
                                              .value = m->value,
                                              .delta = (double)NAN};
    }
    if (!t->n_points)
        return assay_fail(err, ASSAY_EUSAGE,
                          "none of %u runs has '%.*s'; 'assay metrics --all -m %.*s "
                          "--write' measures it",
                          t->n, ASSAY_QUOTE(t->metric), ASSAY_QUOTE(t->metric));
    qsort(t->point, t->n_points, sizeof *t->point, by_method_and_age);
    for (uint32_t i = 1; i < t->n_points; i++)
        if (is_same_series(&t->point[i - 1], &t->point[i]))
            compare(&t->point[i - 1], &t->point[i]);
    return ASSAY_OK;
}

static assay_status read_runs(task *t, assay_error *err)
{
    assay_store_filter filter;
    assay_status st = assay_runs_filter(t->cli, &filter, err);

    if (st)
        return st;
    filter.most = (uint32_t)assay_cli_count(t->cli, "limit", STANDARD_LIMIT);
    st = assay_store_list(t->arg.store, &filter, &t->cli->arena, &t->stored, &t->n, err);
    if (!st)
        st = assay_runs_view(t->cli, t->stored, t->n, &t->view, err);
    return st ? st : make_series(t, err);
}

/* ---- for people ---- */

static double scale_of(const task *t)
{
    double most = 1;

    for (uint32_t i = 0; i < t->n_points; i++)
        if (t->point[i].value > most)
            most = t->point[i].value;
    return most;
}

static void put_breaks(const point *p, assay_grid *grid)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    for (uint32_t i = 0; i < p->n_breaks; i++)
        assay_buffer_printf(&text, "%s%s", i ? ", " : "other ", p->breaks[i]);
    assay_grid_add(grid, assay_buffer_view(&text));
    grid->has_failed |= text.has_failed;
    assay_buffer_clear(&text);
}

static void put_number(assay_grid *grid, double value, const char *form, bool is_csv)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    if (isnan(value))
        assay_grid_text(grid, "");
    else if (is_csv) {
        assay_buffer_double(&text, value);
        assay_grid_add(grid, assay_buffer_view(&text));
    } else {
        assay_grid_printf(grid, strcmp(form, "+") == 0 ? "%+.4f" : "%.4f", value);
    }
    assay_buffer_clear(&text);
}

static void put_id(const point *p, bool is_csv, assay_grid *grid)
{
    const assay_stored *s = p->view->stored;
    char when[20];

    assay_runs_when(s->created_at, when);
    if (is_csv) {
        assay_grid_add(grid, s->method);
        assay_grid_add(grid, s->created_at);
        assay_grid_add(grid, s->run_id);
        assay_grid_add(grid, s->commit);
    } else {
        assay_grid_text(grid, when);
        assay_grid_printf(grid, "%.*s", p->view->id_len, s->run_id.ptr);
        assay_grid_printf(grid, "%.*s", s->commit.len < 8 ? (int)s->commit.len : 8,
                          s->commit.ptr);
    }
}

static void put_row(const point *p, double most, const char *format, assay_grid *grid)
{
    bool is_csv = strcmp(format, "csv") == 0;
    assay_buffer bar = ASSAY_BUFFER_EMPTY;

    put_id(p, is_csv, grid);
    if (p->metric->n == ASSAY_NONE)
        assay_grid_text(grid, "");
    else
        assay_grid_count(grid, p->metric->n);
    put_number(grid, p->value, "", is_csv);
    put_number(grid, p->delta, "+", is_csv);
    if (!is_csv) {
        assay_spark_bar(p->value, most, BAR_COLUMNS, &bar);
        assay_grid_add(grid, assay_buffer_view(&bar));
    }
    put_breaks(p, grid);
    grid->has_failed |= bar.has_failed;
    assay_buffer_clear(&bar);
}

static void put_grid(const task *t, uint32_t from, uint32_t end, const char *format,
                     assay_buffer *out)
{
    static const char *const plain[] = {"created", "run",   "commit", "n",
                                        "value",   "delta", "",       "not comparable"};
    static const char *const csv[] = {"method", "created", "run",   "commit",
                                      "n",      "value",   "delta", "breaks"};
    bool is_csv = strcmp(format, "csv") == 0;
    assay_grid grid = {.n_columns = 8};

    for (uint32_t c = 0; c < 8; c++) {
        assay_grid_text(&grid, is_csv ? csv[c] : plain[c]);
        grid.is_right[c] = is_csv ? c >= 4 && c <= 6 : c >= 3 && c <= 5;
    }
    for (uint32_t i = from; i < end; i++)
        put_row(&t->point[i], scale_of(t), format, &grid);
    assay_grid_write(&grid, format, out);
    out->has_failed |= grid.has_failed;
    assay_grid_clear(&grid);
}

static uint32_t end_of(const task *t, uint32_t from)
{
    uint32_t end = from + 1;

    while (end < t->n_points && is_same_series(&t->point[from], &t->point[end]))
        end++;
    return end;
}

static void put_title(const task *t, uint32_t from, uint32_t end, bool is_md,
                      assay_buffer *out)
{
    assay_slice method = t->point[from].view->stored->method;
    double *value = ASSAY_ARENA_ARRAY(&t->cli->arena, double, end - from);

    if (!value) {
        out->has_failed = true;
        return;
    }
    for (uint32_t i = from; i < end; i++)
        value[i - from] = t->point[i].value;
    assay_buffer_printf(out, "%s%.*s of %.*s  ", is_md ? "## " : "",
                        ASSAY_QUOTE(t->metric), ASSAY_QUOTE(method));
    assay_spark_line(value, end - from, out);
    assay_buffer_text(out, "\n\n");
}

static void print_text(const task *t, const char *format, assay_buffer *out)
{
    bool is_csv = strcmp(format, "csv") == 0;

    if (is_csv) {
        put_grid(t, 0, t->n_points, format, out);
        return;
    }
    for (uint32_t from = 0; from < t->n_points;) {
        uint32_t end = end_of(t, from);

        if (from)
            assay_buffer_char(out, '\n');
        put_title(t, from, end, strcmp(format, "md") == 0, out);
        put_grid(t, from, end, format, out);
        from = end;
    }
    if (t->n_without)
        assay_buffer_printf(out, "\n%u %s not measure it\n", t->n_without,
                            t->n_without == 1 ? "run does" : "runs do");
}

/* ---- for programs ---- */

static void json_point(const point *p, assay_json_writer *w)
{
    const assay_stored *s = p->view->stored;

    assay_json_flat_object(w);
    assay_json_name(w, "run_id", s->run_id);
    assay_json_name(w, "created_at", s->created_at);
    assay_json_known(w, "commit_hash", s->commit);
    assay_json_name(w, "full", p->metric->key);
    assay_json_key(w, "value");
    assay_json_double(w, p->value);
    assay_json_key(w, "n");
    if (p->metric->n == ASSAY_NONE)
        assay_json_null(w);
    else
        assay_json_int(w, p->metric->n);
    assay_json_key(w, "delta");
    assay_json_double(w, p->delta);
    assay_json_known(w, "golden_hash", golden_of(p));
    assay_json_known(w, "corpus_hash", s->corpus_hash);
    assay_json_key(w, "breaks");
    assay_json_list(w);
    for (uint32_t i = 0; i < p->n_breaks; i++)
        assay_json_text(w, p->breaks[i]);
    assay_json_list_end(w);
    assay_json_object_end(w);
}

static void print_json(const task *t, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_name(&w, "schema", ASSAY_LIT("assay.trend/1"));
    assay_json_name(&w, "metric", t->metric);
    assay_json_key(&w, "better");
    if (t->point[0].metric->has_no_direction)
        assay_json_null(&w);
    else
        assay_json_text(&w, t->point[0].metric->is_lower_better ? "lower" : "higher");
    assay_json_count(&w, "without", t->n_without);
    assay_json_key(&w, "series");
    assay_json_list(&w);
    for (uint32_t from = 0; from < t->n_points;) {
        uint32_t end = end_of(t, from);

        assay_json_object(&w);
        assay_json_name(&w, "method", t->point[from].view->stored->method);
        assay_json_key(&w, "points");
        assay_json_list(&w);
        for (; from < end; from++)
            json_point(&t->point[from], &w);
        assay_json_list_end(&w);
        assay_json_object_end(&w);
    }
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status report(const task *t, assay_error *err)
{
    const char *format = assay_cli_format(t->cli, "table");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (strcmp(format, "json") == 0)
        print_json(t, &out);
    else
        print_text(t, format, &out);
    st = assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_trend(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli};
    assay_status st = assay_runs_open(cli, ASSAY_STORE_READ, &t.arg, err);

    if (st)
        return st;
    st = read_metric(&t, err);
    if (!st)
        st = read_runs(&t, err);
    if (!st)
        st = report(&t, err);
    assay_runs_close(&t.arg);
    return st;
}

const assay_command assay_command_runs_trend = {
    .name = "runs trend",
    .args = "METRIC",
    .summary = "one metric over the stored runs, with their commits",
    .details =
        "Oldest first, a series for each method.  The values are those that are stored.  Where\n"
        "golden set, corpus, conventions, level or the queries asked are others than in the run\n"
        "before, the two values cannot be compared: there is no delta, and what differs is\n"
        "named.",
    .example = "  assay runs trend ndcg@10 --suite nightly\n"
               "  assay runs trend mrr --method bm25 --since 2026-01-01 --json",
    .option = options,
    .ignores_settings = true,
    .min_args = 1,
    .max_args = 1,
    .run = run_trend,
};
