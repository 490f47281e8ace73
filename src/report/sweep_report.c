/* SPDX-License-Identifier: Apache-2.0 */
#include "report/sweep_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/slice.h"
#include "report/grid.h"

/* ---- order ---- */

typedef struct place {
    uint32_t setting;
    double key; /* the greater the better */
} place;

static int by_key(const void *a, const void *b)
{
    const place *x = a;
    const place *y = b;

    if (x->key != y->key)
        return x->key < y->key ? 1 : -1;
    return (x->setting > y->setting) - (x->setting < y->setting);
}

/* Finished settings by their mean, then the others; null: no memory. */
static place *in_order(const assay_sweep_sheet *s)
{
    place *order = ASSAY_NEW_ARRAY(place, s->n_settings + 1u);

    for (uint32_t i = 0; order && i < s->n_settings; i++) {
        double mean = s->verdict->row[i].mean;
        double key = s->is_lower_better ? -mean : mean;

        order[i] = (place){i, isnan(mean)              ? -INFINITY
                              : s->line[i].is_finished ? key
                                                       : key - 1e9};
    }
    if (order)
        qsort(order, s->n_settings, sizeof *order, by_key);
    return order;
}

/* ---- the sentence ---- */

/* The lever whose values differ most in their means. */
typedef struct needle {
    uint32_t low; /* numbers in effect[] */
    uint32_t high;
    double range;
} needle;

static needle find_needle(const assay_sweep_sheet *s)
{
    needle best = {0, 0, 0};

    for (uint32_t a = 0; a < s->n_effects; a++)
        for (uint32_t b = 0; b < s->n_effects; b++) {
            double range = s->effect[b].mean - s->effect[a].mean;

            if (assay_slice_eq(s->effect[a].lever, s->effect[b].lever) &&
                range > best.range)
                best = (needle){a, b, range};
        }
    return best;
}

static void print_needle(const assay_sweep_sheet *s, assay_buffer *out)
{
    needle n = find_needle(s);
    const assay_sweep_effect_line *low;
    const assay_sweep_effect_line *high;

    if (!(n.range > 0)) {
        assay_buffer_printf(out, "No lever moved %s at all. ", s->metric);
        return;
    }
    low = &s->effect[s->is_lower_better ? n.high : n.low];
    high = &s->effect[s->is_lower_better ? n.low : n.high];
    assay_buffer_printf(out,
                        "%.*s moved %s most: from %.4f at %.*s to %.4f at %.*s, on "
                        "average over the other levers. ",
                        ASSAY_QUOTE(high->lever), s->metric, low->mean,
                        ASSAY_QUOTE(low->value), high->mean, ASSAY_QUOTE(high->value));
}

static void print_sentence(const assay_sweep_sheet *s, assay_buffer *out)
{
    const assay_sweep_verdict *v = s->verdict;

    print_needle(s, out);
    if (v->best == 0) {
        assay_buffer_printf(out, "None of %u settings is better than the first (%.*s).\n",
                            s->n_settings, ASSAY_QUOTE(s->line[0].text));
        return;
    }
    if (!v->n_held || isnan(v->held_p)) {
        assay_buffer_printf(
            out,
            "The best of %u settings is %.*s; no question was held out, so "
            "nobody can say whether that is more than noise.\n",
            s->n_settings, ASSAY_QUOTE(s->line[v->best].text));
        return;
    }
    assay_buffer_printf(
        out,
        "The best of %u settings on the tuning questions, %.*s, has %.4f on %u held-out "
        "questions where the first (%.*s) has %.4f: %+.4f, 95 %% interval %+.4f to %+.4f, "
        "p = %.3g. That is %s.\n",
        s->n_settings, ASSAY_QUOTE(s->line[v->best].text), v->held_best, v->n_held,
        ASSAY_QUOTE(s->line[0].text), v->held_reference, v->held_delta, v->held_ci.low,
        v->held_ci.high, v->held_p,
        v->is_beyond_noise ? "more than noise" : "no more than noise");
}

/* ---- grids ---- */

static void put_number(assay_grid *grid, const char *format, double value)
{
    char text[40];

    if (isnan(value)) {
        assay_grid_text(grid, "n/a");
        return;
    }
    snprintf(text, sizeof text, format, value);
    assay_grid_text(grid, text);
}

static void fill_settings(const assay_sweep_sheet *s, const place *order, uint32_t most,
                          assay_grid *grid)
{
    static const char *const head[] = {"setting", "n",     NULL,      "95 % CI",
                                       "delta",   "p",     "p corr.", "ms",
                                       "bytes@k", "front", "run"};
    enum { COLUMNS = sizeof head / sizeof *head };

    *grid = (assay_grid){.n_columns = COLUMNS};
    for (int i = 0; i < COLUMNS; i++) {
        assay_grid_text(grid, head[i] ? head[i] : s->metric);
        grid->is_right[i] = i > 0 && i < 9;
    }
    for (uint32_t i = 0; i < s->n_settings && (!most || i < most); i++) {
        uint32_t k = order[i].setting;
        const assay_sweep_row *row = &s->verdict->row[k];
        const assay_sweep_line *line = &s->line[k];

        assay_grid_printf(grid, "%.*s%s", (int)line->text.len, line->text.ptr,
                          line->is_finished ? "" : " (out)");
        assay_grid_printf(grid, "%u", row->n);
        put_number(grid, "%.4f", row->mean);
        assay_grid_printf(grid, "%.4f-%.4f", row->ci.low, row->ci.high);
        put_number(grid, "%+.4f", k ? row->delta : (double)NAN);
        put_number(grid, "%.3g", k ? row->p : (double)NAN);
        put_number(grid, "%.3g", k ? row->p_corrected : (double)NAN);
        put_number(grid, "%.2f", line->latency);
        put_number(grid, "%.0f", line->bytes);
        assay_grid_text(grid, row->is_pareto ? "*" : "");
        assay_grid_printf(grid, "%.*s",
                          (int)(line->run_id.len < 20 ? line->run_id.len : 20),
                          line->run_id.ptr ? line->run_id.ptr : "");
    }
}

static void fill_effects(const assay_sweep_sheet *s, assay_grid *grid)
{
    *grid = (assay_grid){.n_columns = 3};
    grid->is_right[2] = true;
    assay_grid_text(grid, "lever");
    assay_grid_text(grid, "value");
    assay_grid_printf(grid, "mean %s", s->metric);
    for (uint32_t i = 0; i < s->n_effects; i++) {
        assay_grid_add(grid, s->effect[i].lever);
        assay_grid_add(grid, s->effect[i].value);
        put_number(grid, "%.4f", s->effect[i].mean);
    }
}

static void print_grids(const assay_sweep_sheet *s,
                        void (*print)(const assay_grid *grid, assay_buffer *out),
                        assay_buffer *out)
{
    place *order = in_order(s);
    assay_grid grid;

    if (!order) {
        out->has_failed = true;
        return;
    }
    fill_settings(s, order, s->most, &grid);
    print(&grid, out);
    out->has_failed = out->has_failed || grid.has_failed;
    assay_grid_clear(&grid);
    if (s->most && s->n_settings > s->most)
        assay_buffer_printf(out, "and %u more; --verbose shows all\n",
                            s->n_settings - s->most);
    assay_buffer_char(out, '\n');
    fill_effects(s, &grid);
    print(&grid, out);
    out->has_failed = out->has_failed || grid.has_failed;
    assay_grid_clear(&grid);
    assay_mem_free(order);
}

static void print_foot(const assay_sweep_sheet *s, assay_buffer *out)
{
    assay_buffer_printf(
        out,
        "\n%u settings, %u questions (%u held out), %llu asked now, %u runs were there "
        "already; sweep %.*s\n",
        s->n_settings, s->n_questions, s->n_held, (unsigned long long)s->n_asked,
        s->n_resumed, ASSAY_QUOTE(s->id));
    assay_buffer_text(out,
                      "Means are over the tuning questions. * = no other setting is as "
                      "good, as fast and as small.\n");
}

void assay_sweep_print_table(const assay_sweep_sheet *sheet, assay_buffer *out)
{
    assay_buffer_printf(out, "golden %s, level %s\n\n", sheet->golden, sheet->level);
    print_sentence(sheet, out);
    assay_buffer_char(out, '\n');
    print_grids(sheet, assay_grid_print, out);
    print_foot(sheet, out);
}

void assay_sweep_print_md(const assay_sweep_sheet *sheet, assay_buffer *out)
{
    assay_buffer_printf(out, "# Sweep over `%s`\n\n", sheet->golden);
    print_sentence(sheet, out);
    assay_buffer_char(out, '\n');
    print_grids(sheet, assay_grid_markdown, out);
    print_foot(sheet, out);
}

void assay_sweep_print_csv(const assay_sweep_sheet *sheet, assay_buffer *out)
{
    place *order = in_order(sheet);
    assay_grid grid;

    if (!order) {
        out->has_failed = true;
        return;
    }
    fill_settings(sheet, order, 0, &grid);
    assay_grid_csv(&grid, out);
    out->has_failed = out->has_failed || grid.has_failed;
    assay_grid_clear(&grid);
    assay_mem_free(order);
}

/* ---- JSON ---- */

static void json_setting(assay_json_writer *w, const assay_sweep_sheet *s, uint32_t i)
{
    const assay_sweep_row *row = &s->verdict->row[i];
    const assay_sweep_line *line = &s->line[i];

    assay_json_object(w);
    assay_json_put_slice(w, "setting", line->text);
    assay_json_put_slice(w, "method", line->method);
    assay_json_put_slice(w, "run_id", line->run_id);
    assay_json_key(w, "finished");
    assay_json_bool(w, line->is_finished);
    assay_json_put_int(w, "n", row->n);
    assay_json_put_double(w, "mean", row->mean);
    assay_json_put_pair(w, "ci", row->ci.low, row->ci.high);
    assay_json_put_double(w, "delta", row->delta);
    assay_json_put_double(w, "p", row->p);
    assay_json_put_double(w, "p_corrected", row->p_corrected);
    assay_json_put_double(w, "latency_p50_ms", line->latency);
    assay_json_put_double(w, "bytes", line->bytes);
    assay_json_key(w, "pareto");
    assay_json_bool(w, row->is_pareto);
    assay_json_object_end(w);
}

static void json_held(assay_json_writer *w, const assay_sweep_sheet *s)
{
    const assay_sweep_verdict *v = s->verdict;

    assay_json_key(w, "held_out");
    assay_json_object(w);
    assay_json_put_int(w, "n", v->n_held);
    assay_json_put_double(w, "best", v->held_best);
    assay_json_put_double(w, "reference", v->held_reference);
    assay_json_put_double(w, "delta", v->held_delta);
    assay_json_put_pair(w, "ci", v->held_ci.low, v->held_ci.high);
    assay_json_put_double(w, "p", v->held_p);
    assay_json_key(w, "beyond_noise");
    assay_json_bool(w, v->is_beyond_noise);
    assay_json_object_end(w);
}

void assay_sweep_print_json(const assay_sweep_sheet *sheet, assay_buffer *out)
{
    const assay_sweep_sheet *s = sheet;
    assay_json_writer w = assay_json_writer_of(out, 2);
    assay_buffer sentence = ASSAY_BUFFER_EMPTY;

    print_sentence(s, &sentence);
    assay_json_object(&w);
    assay_json_put_slice(&w, "schema", ASSAY_LIT("assay.sweep/1"));
    assay_json_put_slice(&w, "sweep", s->id);
    assay_json_put_slice(&w, "golden", assay_slice_of(s->golden));
    assay_json_put_slice(&w, "metric", assay_slice_of(s->metric));
    assay_json_put_slice(&w, "level", assay_slice_of(s->level));
    assay_json_put_slice(&w, "verdict", assay_slice_trim(assay_buffer_view(&sentence)));
    assay_json_put_int(&w, "questions", s->n_questions);
    assay_json_put_slice(&w, "reference", s->line[0].text);
    assay_json_put_slice(&w, "best", s->line[s->verdict->best].text);
    json_held(&w, s);
    assay_json_key(&w, "settings");
    assay_json_list(&w);
    for (uint32_t i = 0; i < s->n_settings; i++)
        json_setting(&w, s, i);
    assay_json_list_end(&w);
    assay_json_key(&w, "effects");
    assay_json_list(&w);
    for (uint32_t i = 0; i < s->n_effects; i++) {
        assay_json_flat_object(&w);
        assay_json_put_slice(&w, "lever", s->effect[i].lever);
        assay_json_put_slice(&w, "value", s->effect[i].value);
        assay_json_put_double(&w, "mean", s->effect[i].mean);
        assay_json_object_end(&w);
    }
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
    out->has_failed = out->has_failed || sentence.has_failed;
    assay_buffer_clear(&sentence);
}
