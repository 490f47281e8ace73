/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/remeasure_print.h"

#include <math.h>
#include <string.h>

#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "cli/runs_arg.h"

/* ---- for people ---- */

/* n/a: it was measured, and no query has a score. */
static void put_value(assay_grid *grid, double value, bool is_measured, bool is_csv)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    if (isnan(value)) {
        assay_grid_text(grid, is_csv ? "" : is_measured ? "n/a" : "-");
    } else if (is_csv) {
        assay_buffer_double(&text, value);
        assay_grid_add(grid, assay_buffer_view(&text));
    } else {
        assay_grid_printf(grid, "%.4f", value);
    }
    assay_buffer_clear(&text);
}

static void put_n(assay_grid *grid, const assay_metric_change *c)
{
    if (c->n_after == ASSAY_NONE && c->n_before == ASSAY_NONE)
        assay_grid_text(grid, "");
    else if (c->n_after == ASSAY_NONE)
        assay_grid_count(grid, c->n_before);
    else if (c->n_before == ASSAY_NONE || c->n_before == c->n_after)
        assay_grid_count(grid, c->n_after);
    else
        assay_grid_printf(grid, "%u, was %u", c->n_after, c->n_before);
}

static const char *word_of(const assay_metric_change *c)
{
    double delta = c->after - c->before;

    if (c->is_new)
        return "new";
    if (c->is_gone)
        return "not measured now";
    if (!c->is_changed)
        return "";
    if (isnan(delta) || delta == 0 || c->has_no_direction)
        return "changed";
    return (delta > 0) == !c->is_lower_better ? "better" : "worse";
}

static void put_delta(assay_grid *grid, const assay_metric_change *c, bool is_csv)
{
    double delta = c->after - c->before;

    if (is_csv || isnan(delta))
        put_value(grid, delta, false, is_csv);
    else if (!c->is_changed)
        assay_grid_text(grid, "0");
    else
        assay_grid_printf(grid, fabs(delta) < 0.00005 ? "%+.1e" : "%+.4f", delta);
}

/* Two of one name, at other levels for instance: only the full spelling tells them apart. */
static bool is_twin(const assay_remeasured *d, const assay_metric_change *c)
{
    for (uint32_t i = 0; i < d->n_changes; i++)
        if (&d->change[i] != c && assay_slice_eq(d->change[i].name, c->name))
            return true;
    return false;
}

static void put_row(const assay_remeasure_report *r, uint32_t i,
                    const assay_metric_change *c, bool is_csv, assay_grid *grid)
{
    assay_slice id = r->run[i].run_id;

    if (is_csv)
        assay_grid_add(grid, id);
    else if (r->n > 1)
        assay_grid_printf(grid, "%.*s",
                          id.len < (size_t)r->id_len ? (int)id.len : r->id_len, id.ptr);
    assay_grid_name(grid, is_twin(&r->done[i], c) ? c->key : c->name);
    put_n(grid, c);
    put_value(grid, c->before, !c->is_new, is_csv);
    put_value(grid, c->after, !c->is_gone, is_csv);
    put_delta(grid, c, is_csv);
    assay_grid_text(grid, word_of(c));
}

/* Of many runs only what changed; of few everything. */
static bool is_shown(const assay_remeasure_report *r, const assay_metric_change *c,
                     bool is_csv)
{
    return is_csv || !r->is_all || c->is_changed;
}

static uint32_t put_grid(const assay_remeasure_report *r, const char *format,
                         assay_buffer *out)
{
    bool is_csv = strcmp(format, "csv") == 0;
    bool has_id = is_csv || r->n > 1;
    assay_grid grid = {.n_columns = has_id ? 7 : 6};
    uint32_t rows = 0;

    if (has_id)
        assay_grid_text(&grid, "run");
    assay_grid_text(&grid, "metric");
    assay_grid_text(&grid, "n");
    assay_grid_text(&grid, "stored");
    assay_grid_text(&grid, "now");
    assay_grid_text(&grid, "delta");
    assay_grid_text(&grid, "");
    for (uint32_t c = has_id ? 2 : 1; c < grid.n_columns - 1; c++)
        grid.is_right[c] = true;
    for (uint32_t i = 0; i < r->n; i++)
        for (uint32_t k = 0; k < r->done[i].n_changes; k++)
            if (is_shown(r, &r->done[i].change[k], is_csv)) {
                put_row(r, i, &r->done[i].change[k], is_csv, &grid);
                rows++;
            }
    if (rows || is_csv)
        assay_grid_write(&grid, format, out);
    out->has_failed |= grid.has_failed;
    assay_grid_clear(&grid);
    return rows;
}

typedef struct sums {
    uint32_t done;
    uint32_t changed;
    uint32_t first; /* measured for the first time */
    uint32_t recorded;
    uint32_t failed;
    uint32_t written;
} sums;

static sums sum_up(const assay_remeasure_report *r)
{
    sums s = {0};

    for (uint32_t i = 0; i < r->n; i++) {
        const assay_remeasured *d = &r->done[i];

        s.done += d->is_done;
        s.changed += d->n_changed > 0;
        s.first += d->is_done && !d->before.n_metrics;
        s.recorded += d->is_recorded;
        s.failed += d->status != ASSAY_OK;
        s.written += d->is_written;
    }
    return s;
}

static void put_sums(const assay_remeasure_report *r, assay_buffer *out)
{
    sums s = sum_up(r);

    assay_buffer_printf(out, "%u %s measured: %u changed", s.done,
                        s.done == 1 ? "run" : "runs", s.changed);
    if (s.first)
        assay_buffer_printf(out, ", %u for the first time", s.first);
    if (s.recorded)
        assay_buffer_printf(out, "; %u only recorded, left as they are", s.recorded);
    if (s.failed)
        assay_buffer_printf(out, "; %u could not be measured", s.failed);
    if (s.written)
        assay_buffer_printf(out, "; %u stored\n", s.written);
    else
        assay_buffer_text(out, "; nothing was stored\n");
}

/* ---- for programs ---- */

static void json_n(assay_json_writer *w, const char *key, uint32_t n)
{
    assay_json_key(w, key);
    if (n == ASSAY_NONE)
        assay_json_null(w);
    else
        assay_json_int(w, n);
}

static void json_change(assay_json_writer *w, const assay_metric_change *c)
{
    assay_json_key_slice(w, c->key);
    assay_json_flat_object(w);
    assay_json_name(w, "name", c->name);
    assay_json_key(w, "a");
    assay_json_double(w, c->before);
    assay_json_key(w, "b");
    assay_json_double(w, c->after);
    assay_json_key(w, "delta");
    assay_json_double(w, c->after - c->before);
    json_n(w, "n_a", c->n_before);
    json_n(w, "n_b", c->n_after);
    assay_json_key(w, "changed");
    assay_json_bool(w, c->is_changed);
    assay_json_object_end(w);
}

static void json_run(assay_json_writer *w, const assay_stored *run,
                     const assay_remeasured *d)
{
    assay_json_object(w);
    assay_json_name(w, "run_id", run->run_id);
    assay_json_key(w, "error");
    if (d->status)
        assay_json_text(w, d->why ? d->why : "no memory");
    else
        assay_json_null(w);
    assay_json_key(w, "recorded");
    assay_json_bool(w, d->is_recorded);
    assay_json_count(w, "changed", d->n_changed);
    assay_json_key(w, "stored");
    assay_json_bool(w, d->is_written);
    assay_json_key(w, "aggregate_a");
    assay_json_raw(w, run->aggregate);
    assay_json_key(w, "aggregate_b");
    if (d->is_done)
        assay_json_raw(w, d->aggregate);
    else
        assay_json_null(w);
    assay_json_key(w, "metrics");
    assay_json_object(w);
    for (uint32_t i = 0; i < d->n_changes; i++)
        json_change(w, &d->change[i]);
    assay_json_object_end(w);
    assay_json_object_end(w);
}

static void print_json(const assay_remeasure_report *r, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);
    sums s = sum_up(r);

    assay_json_object(&w);
    assay_json_name(&w, "schema", ASSAY_LIT("assay.metrics/1"));
    assay_json_name(&w, "store", assay_slice_of(r->store));
    assay_json_count(&w, "measured", s.done);
    assay_json_count(&w, "changed", s.changed);
    assay_json_count(&w, "recorded", s.recorded);
    assay_json_count(&w, "failed", s.failed);
    assay_json_key(&w, "runs");
    assay_json_list(&w);
    for (uint32_t i = 0; i < r->n; i++)
        json_run(&w, &r->run[i], &r->done[i]);
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

void assay_remeasure_print(const assay_remeasure_report *report, const char *format,
                           assay_buffer *out)
{
    if (strcmp(format, "json") == 0) {
        print_json(report, out);
        return;
    }
    if (put_grid(report, format, out) && strcmp(format, "csv") != 0)
        assay_buffer_char(out, '\n');
    if (strcmp(format, "csv") != 0)
        put_sums(report, out);
}
