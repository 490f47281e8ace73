/* SPDX-License-Identifier: Apache-2.0 */
#include "report/explain_report.h"

#include "base/slice.h"
#include "report/grid.h"

enum { NAMED_MOST = 8 };

static void put_grid(assay_grid *grid, assay_buffer *out)
{
    if (grid->has_failed)
        out->has_failed = true;
    assay_grid_print(grid, out);
    assay_grid_clear(grid);
}

/* ---- the waterfall ---- */

static bool is_seen(const assay_why *why, assay_fall fall)
{
    for (uint32_t i = 0; i < why->comparison->n_sides; i++)
        if (why->fall[i].n_fall[fall])
            return true;
    return false;
}

/* Steps of answers are left out where there are none. */
static bool is_shown(const assay_why *why, assay_fall fall)
{
    bool is_answer = fall >= ASSAY_FALL_CONTEXT && fall <= ASSAY_FALL_SPOKE;
    bool has_answers = false;

    for (uint32_t i = 0; i < why->comparison->n_sides; i++)
        has_answers |= why->fall[i].has_answers;
    if (fall == ASSAY_FALL_UNASKED || fall == ASSAY_FALL_FAILED)
        return is_seen(why, fall);
    return fall != ASSAY_FALL_UNJUDGED && (has_answers || !is_answer);
}

static void put_names(const assay_why *why, uint32_t side, assay_fall fall,
                      assay_grid *grid)
{
    const assay_comparison *c = why->comparison;
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    uint32_t n = 0;

    for (uint32_t i = 0; fall != ASSAY_FALL_NONE && i < c->core.n; i++)
        if (why->fall[side].fall[i] == fall && n++ < NAMED_MOST)
            assay_buffer_printf(&b, "%s%.*s", n > 1 ? ", " : "", (int)c->core.id[i].len,
                                c->core.id[i].ptr);
    if (n > NAMED_MOST)
        assay_buffer_text(&b, " ...");
    assay_grid_add(grid, assay_buffer_view(&b));
    grid->has_failed |= b.has_failed;
    assay_buffer_clear(&b);
}

static double share(const assay_waterfall *w, assay_fall fall)
{
    return w->n ? 100.0 * w->n_fall[fall] / w->n : 0.0;
}

static void put_waterfall(const assay_why *why, assay_buffer *out)
{
    const assay_comparison *c = why->comparison;
    bool has_names = c->n_sides == 1;
    assay_grid grid = {.n_columns = 1 + 2 * c->n_sides + has_names};

    assay_grid_text(&grid, "lost at");
    for (uint32_t i = 0; i < c->n_sides; i++) {
        assay_grid_text(&grid, c->n_sides == 1 ? "queries" : assay_side_letter(i));
        assay_grid_text(&grid, "%");
        grid.is_right[1 + 2 * i] = grid.is_right[2 + 2 * i] = true;
    }
    if (has_names)
        assay_grid_text(&grid, "which");
    for (assay_fall f = 0; f < ASSAY_N_FALLS; f++) {
        if (!is_shown(why, f))
            continue;
        assay_grid_text(&grid, assay_fall_words(f));
        for (uint32_t i = 0; i < c->n_sides; i++) {
            assay_grid_printf(&grid, "%u", why->fall[i].n_fall[f]);
            assay_grid_printf(&grid, "%.1f", share(&why->fall[i], f));
        }
        if (has_names)
            put_names(why, 0, f, &grid);
    }
    assay_grid_text(&grid, "all");
    for (uint32_t i = 0; i < c->n_sides; i++) {
        assay_grid_printf(&grid, "%u", why->fall[i].n);
        assay_grid_printf(&grid, "%.1f", why->fall[i].n ? 100.0 : 0.0);
    }
    if (has_names)
        assay_grid_text(&grid, "");
    put_grid(&grid, out);
}

/* ---- transitions ---- */

static uint32_t count_moves(const assay_why *why, assay_fall from, assay_fall to)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < why->comparison->core.n; i++)
        n += why->fall[0].fall[i] == from && why->fall[1].fall[i] == to;
    return n;
}

static void put_moved(const assay_why *why, assay_fall from, assay_fall to,
                      assay_grid *grid)
{
    const assay_core *core = &why->comparison->core;
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    uint32_t n = 0;

    for (uint32_t i = 0; i < core->n; i++)
        if (why->fall[0].fall[i] == from && why->fall[1].fall[i] == to &&
            n++ < NAMED_MOST)
            assay_buffer_printf(&b, "%s%.*s", n > 1 ? ", " : "", (int)core->id[i].len,
                                core->id[i].ptr);
    if (n > NAMED_MOST)
        assay_buffer_text(&b, " ...");
    assay_grid_add(grid, assay_buffer_view(&b));
    grid->has_failed |= b.has_failed;
    assay_buffer_clear(&b);
}

static void put_transitions(const assay_why *why, assay_buffer *out)
{
    assay_grid grid = {.n_columns = 4};

    assay_grid_text(&grid, "in a");
    assay_grid_text(&grid, "in b");
    assay_grid_text(&grid, "queries");
    assay_grid_text(&grid, "which");
    grid.is_right[2] = true;
    for (assay_fall from = 0; from < ASSAY_N_FALLS; from++)
        for (assay_fall to = 0; to < ASSAY_N_FALLS; to++) {
            uint32_t n = from == to ? 0 : count_moves(why, from, to);

            if (!n)
                continue;
            assay_grid_text(&grid, assay_fall_words(from));
            assay_grid_text(&grid, assay_fall_words(to));
            assay_grid_printf(&grid, "%u", n);
            put_moved(why, from, to, &grid);
        }
    if (grid.n > grid.n_columns) {
        assay_buffer_char(out, '\n');
        put_grid(&grid, out);
    } else {
        assay_buffer_text(out, "\nno query fell elsewhere\n");
        assay_grid_clear(&grid);
    }
}

/* ---- one query ---- */

static void put_rank(assay_grid *grid, uint32_t rank)
{
    if (rank)
        assay_grid_printf(grid, "%u", rank);
    else
        assay_grid_text(grid, "—");
}

static void put_score(assay_grid *grid, const assay_hit *h)
{
    if (h && h->has_score)
        assay_grid_printf(grid, "%.4f", h->score);
    else
        assay_grid_text(grid, "");
}

static void put_hits(const assay_explanation *e, assay_buffer *out)
{
    assay_grid grid = {.n_columns = 7};
    static const char *const head[] = {"",         "rank_a",  "rank_b", "hit",
                                       "document", "score_a", "score_b"};

    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        assay_grid_text(&grid, head[i]);
    grid.is_right[1] = grid.is_right[2] = grid.is_right[5] = grid.is_right[6] = true;
    for (uint32_t i = 0; i < e->n_hits; i++) {
        const assay_moved_hit *h = &e->hit[i];

        assay_grid_text(&grid, h->is_relevant ? "*" : "");
        put_rank(&grid, h->rank_a);
        put_rank(&grid, h->rank_b);
        assay_grid_add(&grid, h->id);
        assay_grid_add(&grid, h->doc);
        put_score(&grid, h->a);
        put_score(&grid, h->b);
    }
    put_grid(&grid, out);
}

static void put_explanation(const assay_explanation *e, assay_buffer *out)
{
    const assay_query_change *q = e->change;

    assay_buffer_printf(out, "\n%.*s  %s", (int)q->id.len, q->id.ptr,
                        assay_kind_word(q->kind));
    if (q->note[0])
        assay_buffer_printf(out, "  %s", q->note);
    assay_buffer_printf(out, "\n%.*s\n", (int)q->text.len, q->text.ptr);
    for (size_t i = 0; i < e->clues.n; i++)
        assay_buffer_printf(out, "- %s\n", e->clues.text[i]);
    assay_buffer_char(out, '\n');
    put_hits(e, out);
}

void assay_why_table(const assay_why *why, assay_buffer *out)
{
    const assay_comparison *c = why->comparison;
    const assay_waterfall *w = &why->fall[0];

    for (uint32_t i = 0; i < c->n_sides; i++)
        assay_buffer_printf(out, "%s  %s\n", assay_side_letter(i), c->side[i].name);
    assay_buffer_printf(out, "%u of %u queries judged, k %u, level %s\n\n", w->n,
                        c->core.n, w->k, assay_level_word(c->level));
    put_waterfall(why, out);
    if (c->n_sides < 2)
        return;
    put_transitions(why, out);
    for (uint32_t i = 0; i < why->n_explanations; i++)
        put_explanation(&why->explanation[i], out);
    if (why->n_left_out)
        assay_buffer_printf(out, "\nand %u more that changed; name one to see it\n",
                            why->n_left_out);
    if (why->terms[0])
        assay_buffer_printf(out, "\n%s", why->terms);
}
