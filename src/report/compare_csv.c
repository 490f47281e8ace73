/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as comma separated values: a row a measure, or, with every query asked for,
 * a row a query.  Full precision, an empty field where there is no value. */
#include <math.h>

#include "base/number.h"
#include "report/compare_report.h"

static void put(assay_grid *grid, double v)
{
    char text[ASSAY_NUMBER_TEXT] = "";

    if (!isnan(v))
        assay_number_print(v, text);
    assay_grid_text(grid, text);
}

static void heads(assay_grid *grid, const char *const *head, uint32_t n)
{
    *grid = (assay_grid){.n_columns = n};
    for (uint32_t i = 0; i < n; i++)
        assay_grid_text(grid, head[i]);
}

static void write_measures(const assay_comparison *c, assay_grid *grid)
{
    static const char *const head[] = {
        "run_a",       "run_b",  "measure",   "level",    "n",       "a",
        "b",           "delta",  "better",    "ci_low",   "ci_high", "p",
        "p_corrected", "effect", "judged_at", "judged_a", "judged_b"};

    heads(grid, head, sizeof head / sizeof head[0]);
    for (uint32_t i = 0; i < c->n_pairs; i++)
        for (uint32_t m = 0; m < c->n_measures; m++) {
            const assay_delta *d = &c->pair[i].delta[m];

            assay_grid_text(grid, c->side[0].name);
            assay_grid_text(grid, c->side[c->pair[i].side].name);
            assay_grid_text(grid, d->column->name);
            assay_grid_text(
                grid, d->column->has_level ? assay_level_word(d->column->level) : "");
            put(grid, d->n);
            put(grid, d->a);
            put(grid, d->b);
            put(grid, d->delta);
            assay_grid_text(grid, d->direction > 0   ? "true"
                                  : d->direction < 0 ? "false"
                                                     : "");
            put(grid, d->low);
            put(grid, d->high);
            put(grid, d->p);
            put(grid, d->p_corrected);
            put(grid, d->effect);
            put(grid, d->judged_k ? d->judged_k : (double)NAN);
            put(grid, d->judged_a);
            put(grid, d->judged_b);
        }
}

static void write_queries(const assay_comparison *c, assay_grid *grid)
{
    static const char *const head[] = {"run_a",  "run_b",  "query_id", "kind",
                                       "rank_a", "rank_b", "note"};

    heads(grid, head, sizeof head / sizeof head[0]);
    for (uint32_t i = 0; i < c->n_pairs; i++)
        for (uint32_t k = 0; k < c->core.n; k++) {
            const assay_query_change *q = &c->pair[i].query[k];

            assay_grid_text(grid, c->side[0].name);
            assay_grid_text(grid, c->side[c->pair[i].side].name);
            assay_grid_add(grid, q->id);
            assay_grid_text(grid, assay_kind_word(q->kind));
            put(grid, q->rank_a ? q->rank_a : (double)NAN);
            put(grid, q->rank_b ? q->rank_b : (double)NAN);
            assay_grid_text(grid, q->note);
        }
}

void assay_compare_write_csv(const assay_compare_view *view, assay_buffer *out)
{
    assay_grid grid;

    if (view->with_queries && !view->comparison->is_recorded)
        write_queries(view->comparison, &grid);
    else
        write_measures(view->comparison, &grid);
    if (grid.has_failed)
        out->has_failed = true;
    assay_grid_csv(&grid, out);
    assay_grid_clear(&grid);
}
