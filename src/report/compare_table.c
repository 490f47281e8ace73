/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison on a terminal: verdict, table, what changed, what is to be known. */
#include "base/slice.h"
#include "report/compare_report.h"

enum { CHANGES_MOST = 40, ANSWERS_MOST = 10 };

static void put_grid(assay_grid *grid, assay_buffer *out)
{
    if (grid->has_failed)
        out->has_failed = true;
    assay_grid_print(grid, out);
    assay_grid_clear(grid);
}

static bool has_rows(const assay_grid *grid)
{
    return grid->n > grid->n_columns;
}

/* A grid below a heading, where it has a row. */
static void put_part(assay_grid *grid, const char *heading, assay_buffer *out)
{
    if (!has_rows(grid)) {
        assay_grid_clear(grid);
        return;
    }
    assay_buffer_printf(out, "\n%s", heading);
    put_grid(grid, out);
}

static void put_more(uint32_t n, assay_buffer *out)
{
    if (n)
        assay_buffer_printf(out, "and %u more; --queries shows all\n", n);
}

static void put_sides(const assay_comparison *c, const assay_run_pair *pair,
                      assay_buffer *out)
{
    const uint32_t side[] = {0, pair->side};

    for (size_t i = 0; i < 2; i++) {
        const assay_compare_side *s = &c->side[side[i]];

        assay_buffer_printf(out, "%s  %s", assay_side_letter(side[i]), s->name);
        if (s->caption && s->caption[0])
            assay_buffer_printf(out, "  %s", s->caption);
        if (s->when && s->when[0])
            assay_buffer_printf(out, "  %s", s->when);
        assay_buffer_char(out, '\n');
    }
}

static void put_pair(const assay_compare_view *view, const assay_run_pair *pair,
                     assay_buffer *out)
{
    const assay_comparison *c = view->comparison;
    const assay_compare_rows rows = {.has_marks = true,
                                     .with_draws = view->with_queries,
                                     .most = view->with_queries ? 0 : CHANGES_MOST};
    assay_grid grid;
    uint32_t n;

    assay_buffer_printf(out, "%s\n\n", pair->sentence);
    put_sides(c, pair, out);
    assay_compare_head(c, out);
    if (!c->is_recorded)
        assay_buffer_printf(out, "\nchunker_version_match: %s",
                            assay_match_word(c->matching.match));
    assay_buffer_text(out, "\n\n");
    assay_compare_deltas(c, pair, true, &grid);
    put_grid(&grid, out);
    n = assay_compare_changes(c, pair, &rows, &grid);
    put_part(&grid, "", out);
    put_more(n, out);
    assay_compare_differs(c, pair, &grid);
    put_part(&grid, "", out);
    if (pair->has_answers) {
        assay_compare_answers(pair, &grid);
        put_part(&grid, "", out);
        n = assay_compare_answer_rows(c, pair, view->with_queries ? 0 : ANSWERS_MOST,
                                      &grid);
        put_part(&grid, "", out);
        put_more(n, out);
    }
    if (pair->slices_a.key) {
        assay_compare_slices(c, pair, &grid);
        put_part(&grid, "", out);
    }
}

static void put_all_pairs(const assay_comparison *c, assay_buffer *out)
{
    assay_grid grid;

    if (c->n_pairs > 1) {
        assay_compare_overview(c, true, &grid);
        put_part(&grid, "all against a\n\n", out);
    }
    for (uint32_t i = 0; c->tukey && i < c->n_measures; i++) {
        if (!c->tukey[i])
            continue;
        assay_compare_tukey(c, i, &grid);
        assay_buffer_printf(out, "\n%s, p of all pairs (randomised Tukey HSD)\n\n",
                            c->scores[0]->column[i].name);
        put_grid(&grid, out);
    }
}

void assay_compare_write_table(const assay_compare_view *view, assay_buffer *out)
{
    const assay_comparison *c = view->comparison;
    assay_grid grid;

    for (uint32_t i = 0; i < c->n_pairs; i++) {
        if (i)
            assay_buffer_char(out, '\n');
        put_pair(view, &c->pair[i], out);
    }
    put_all_pairs(c, out);
    assay_compare_reasons(c, &grid);
    put_part(&grid, "", out);
    assay_buffer_char(out, '\n');
    for (size_t i = 0; i < c->notes.n; i++)
        assay_buffer_printf(out, "%s\n", c->notes.text[i]);
    assay_compare_method(c, out);
    assay_buffer_char(out, '\n');
}
