/* SPDX-License-Identifier: Apache-2.0 */
/* The grids that the writers of comparisons for people share. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/slice.h"
#include "report/compare_report.h"

const assay_compare_writer *assay_compare_writer_find(const char *name)
{
    static const assay_compare_writer writers[] = {
        {"table", assay_compare_write_table},
        {"md", assay_compare_write_md},
        {"json", assay_compare_write_json},
        {"csv", assay_compare_write_csv},
    };

    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++)
        if (strcmp(writers[i].name, name) == 0)
            return &writers[i];
    return NULL;
}

void assay_compare_p(double p, char *text, size_t size)
{
    if (isnan(p))
        snprintf(text, size, "-");
    else if (p < 0.0001)
        snprintf(text, size, "%.1e", p);
    else
        snprintf(text, size, "%.4f", p);
}

static void heads(assay_grid *grid, const char *const *head, uint32_t n)
{
    *grid = (assay_grid){.n_columns = n};
    for (uint32_t i = 0; i < n; i++)
        assay_grid_text(grid, head[i]);
}

static void put_value(assay_grid *grid, double value)
{
    if (isnan(value))
        assay_grid_text(grid, "n/a");
    else
        assay_grid_printf(grid, "%.4f", value);
}

static void put_p(assay_grid *grid, double p)
{
    char text[32];

    assay_compare_p(p, text, sizeof text);
    assay_grid_text(grid, text);
}

/* ---- deltas ---- */

/* Better, worse, or worse beyond chance. */
static const char *delta_mark(const assay_comparison *c, const assay_delta *d)
{
    if (d->direction >= 0)
        return d->direction ? "✓ " : "  ";
    return d->p_corrected < c->alpha ? "✗ " : "⚠ ";
}

static void put_name(const assay_comparison *c, const assay_delta *d, const char *mark,
                     assay_grid *grid)
{
    const assay_column *column = d->column;
    bool says_level =
        column->has_level && column->level != c->level && !strstr(column->name, "level=");

    if (says_level)
        assay_grid_printf(grid, "%s%s (%s)", mark, column->name,
                          assay_level_word(column->level));
    else
        assay_grid_printf(grid, "%s%s", mark, column->name);
}

static void put_n(const assay_delta *d, assay_grid *grid)
{
    if (d->n_a == d->n && d->n_b == d->n)
        assay_grid_printf(grid, "%u", d->n);
    else
        assay_grid_printf(grid, "%u (%u/%u)", d->n, d->n_a, d->n_b);
}

static void put_delta(const assay_delta *d, assay_grid *grid)
{
    put_value(grid, d->a);
    put_value(grid, d->b);
    if (isnan(d->delta))
        assay_grid_text(grid, "n/a");
    else
        assay_grid_printf(grid, "%+.4f", d->delta == 0 ? 0.0 : d->delta);
    if (isnan(d->low))
        assay_grid_text(grid, "-");
    else
        assay_grid_printf(grid, "[%+.4f, %+.4f]", d->low == 0 ? 0.0 : d->low,
                          d->high == 0 ? 0.0 : d->high);
    put_p(grid, d->p);
    put_p(grid, d->p_corrected);
}

static void put_judged(const assay_delta *d, assay_grid *grid)
{
    if (!d->judged_k || isnan(d->judged_a) || isnan(d->judged_b))
        assay_grid_text(grid, "");
    else
        assay_grid_printf(grid, "%.2f/%.2f @%u", d->judged_a, d->judged_b, d->judged_k);
}

void assay_compare_deltas(const assay_comparison *c, const assay_run_pair *pair,
                          bool has_marks, assay_grid *grid)
{
    const char *other = assay_side_letter(pair->side);
    char corrected[40];
    char interval[40];
    char difference[40];
    const char *head[] = {"metric", "n",       "a",      other,    difference, interval,
                          "p",      corrected, "judged", "effect", "p paired"};
    /* An unpaired test throws away that the questions were the same: say what the paired
     * one has to say, and how large the difference is. */
    uint32_t n = c->is_unpaired ? 11 : 9;

    snprintf(corrected, sizeof corrected, "p (%s)", c->correction);
    snprintf(interval, sizeof interval, "%g %% CI", 100 * c->confidence);
    snprintf(difference, sizeof difference, "Δ (%s - a)", other);
    heads(grid, head, n);
    for (uint32_t i = 1; i < n; i++)
        grid->is_right[i] = i != 8;
    for (uint32_t i = 0; i < c->n_measures; i++) {
        const assay_delta *d = &pair->delta[i];

        put_name(c, d, has_marks ? delta_mark(c, d) : "", grid);
        put_n(d, grid);
        put_delta(d, grid);
        put_judged(d, grid);
        if (!c->is_unpaired)
            continue;
        put_value(grid, d->effect);
        put_p(grid, d->p_paired);
    }
}

/* ---- queries ---- */

bool assay_compare_shows(const assay_query_change *q, bool with_draws)
{
    return with_draws || q->kind != ASSAY_KIND_DRAW || q->n_lost || q->n_found;
}

static void put_rank(assay_grid *grid, uint32_t rank)
{
    if (rank)
        assay_grid_printf(grid, "%u", rank);
    else
        assay_grid_text(grid, "—");
}

/* What hurts first. */
static const assay_kind kind_order[] = {ASSAY_KIND_REGRESSION, ASSAY_KIND_LOSS,
                                        ASSAY_KIND_WIN, ASSAY_KIND_DRAW};

uint32_t assay_compare_changes(const assay_comparison *c, const assay_run_pair *pair,
                               const assay_compare_rows *rows, assay_grid *grid)
{
    char rank[20];
    const char *head[] = {"query_id", "kind", "rank_a", rank, "note"};
    static const char *const mark[] = {"", "✓ ", "⚠ ", "✗ "};
    uint32_t n = 0;

    snprintf(rank, sizeof rank, "rank_%s", assay_side_letter(pair->side));
    heads(grid, head, sizeof head / sizeof head[0]);
    grid->is_right[2] = grid->is_right[3] = true;
    for (size_t k = 0; k < sizeof kind_order / sizeof kind_order[0]; k++)
        for (uint32_t i = 0; pair->query && i < c->core.n; i++) {
            const assay_query_change *q = &pair->query[i];

            if (q->kind != kind_order[k] || !assay_compare_shows(q, rows->with_draws) ||
                (n++ >= rows->most && rows->most))
                continue;
            assay_grid_add(grid, q->id);
            assay_grid_printf(grid, "%s%s", rows->has_marks ? mark[q->kind] : "",
                              assay_kind_word(q->kind));
            put_rank(grid, q->rank_a);
            put_rank(grid, q->rank_b);
            assay_grid_text(grid, q->note);
        }
    return rows->most && n > rows->most ? n - rows->most : 0;
}

/* ---- answers ---- */

static void put_names(assay_buffer *b, const char *words, const assay_slice *name,
                      uint32_t n)
{
    enum { MOST = 3 };

    if (!n)
        return;
    assay_buffer_printf(b, "%s%s ", b->len ? "; " : "", words);
    for (uint32_t i = 0; i < n && i < MOST; i++)
        assay_buffer_printf(b, "%s`%.*s`", i ? ", " : "", (int)name[i].len, name[i].ptr);
    if (n > MOST)
        assay_buffer_printf(b, " and %u more", n - MOST);
}

static void put_words(assay_buffer *b, bool is_so, const char *words)
{
    if (is_so)
        assay_buffer_printf(b, "%s%s", b->len ? "; " : "", words);
}

static void describe(const assay_answer_change *a, const char *other, assay_buffer *b)
{
    if (a->has_a && !a->has_b)
        assay_buffer_printf(b, "no answer in %s", other);
    put_words(b, !a->has_a && a->has_b, "no answer in a");
    if (a->has_a && a->has_b && a->refused_a != a->refused_b) {
        put_words(b, true, a->refused_b ? "refuses now" : "refuses no longer");
        put_words(b, a->refused_b != a->should_refuse, "which is wrong");
    }
    put_words(b, a->grounded_a == ASSAY_FLAG_YES && a->grounded_b == ASSAY_FLAG_NO,
              "no longer grounded");
    put_words(b, a->grounded_a == ASSAY_FLAG_NO && a->grounded_b == ASSAY_FLAG_YES,
              "grounded now");
    put_names(b, "cites no longer", a->lost, a->n_lost);
    put_names(b, "cites now", a->gained, a->n_gained);
    put_words(b, !b->len && a->is_text_changed, "other words");
}

/* `words` with the letter in the place of "%s". */
static void put_lettered(assay_grid *grid, const char *words, const char *letter)
{
    const char *at = strstr(words, "%s");

    if (at)
        assay_grid_printf(grid, "%.*s%s%s", (int)(at - words), words, letter, at + 2);
    else
        assay_grid_text(grid, words);
}

void assay_compare_answers(const assay_run_pair *pair, assay_grid *grid)
{
    static const char *const head[] = {"answers", "queries"};
    const assay_answer_counts *n = &pair->answers;
    const struct {
        const char *words; /* %s = the letter of the other run */
        uint32_t n;
    } rows[] = {
        {"answered by both", n->n_both},
        {"other words", n->n_text},
        {"answered in a, refused in %s", n->n_refused},
        {"refused in a, answered in %s", n->n_spoke},
        {"grounded in a, not in %s", n->n_ungrounded},
        {"grounded in %s, not in a", n->n_grounded},
        {"citations lost", n->n_lost},
        {"citations gained", n->n_gained},
    };

    heads(grid, head, sizeof head / sizeof head[0]);
    grid->is_right[1] = true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put_lettered(grid, rows[i].words, assay_side_letter(pair->side));
        assay_grid_printf(grid, "%u", rows[i].n);
    }
}

uint32_t assay_compare_answer_rows(const assay_comparison *c, const assay_run_pair *pair,
                                   uint32_t most, assay_grid *grid)
{
    static const char *const head[] = {"query_id", "answer"};
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    uint32_t n = 0;

    heads(grid, head, sizeof head / sizeof head[0]);
    for (uint32_t i = 0; i < c->core.n; i++) {
        const assay_query_change *q = &pair->query[i];

        if (!q->answer || !assay_answer_has_changed(q->answer))
            continue;
        b.len = 0;
        describe(q->answer, assay_side_letter(pair->side), &b);
        if (!b.len || (n++ >= most && most))
            continue;
        assay_grid_add(grid, q->id);
        assay_grid_add(grid, assay_buffer_view(&b));
    }
    grid->has_failed |= b.has_failed;
    assay_buffer_clear(&b);
    return most && n > most ? n - most : 0;
}

/* ---- the rest ---- */

void assay_compare_differs(const assay_comparison *c, const assay_run_pair *pair,
                           assay_grid *grid)
{
    const char *head[] = {"differs", "a", assay_side_letter(pair->side)};
    static const assay_slice none = {"-", 1};

    (void)c;
    heads(grid, head, sizeof head / sizeof head[0]);
    for (uint32_t i = 0; i < pair->n_differs; i++) {
        const assay_difference *d = &pair->differs[i];

        assay_grid_text(grid, d->what);
        assay_grid_add(grid, d->a.len ? d->a : none);
        assay_grid_add(grid, d->b.len ? d->b : none);
    }
}

void assay_compare_excluded(const assay_comparison *c, assay_grid *grid)
{
    static const char *const head[] = {"query_id", "left out because"};

    heads(grid, head, sizeof head / sizeof head[0]);
    for (uint32_t i = 0; i < c->core.n_excluded; i++) {
        assay_grid_add(grid, c->core.excluded[i].id);
        assay_grid_text(grid, c->core.excluded[i].why);
    }
}

/* One row a reason. */
void assay_compare_reasons(const assay_comparison *c, assay_grid *grid)
{
    enum { NAMED_MOST = 8 };

    static const char *const head[] = {"left out", "because", "queries"};
    const assay_excluded *e = c->core.excluded;
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    heads(grid, head, sizeof head / sizeof head[0]);
    grid->is_right[0] = true;
    for (uint32_t i = 0; i < c->core.n_excluded; i++) {
        uint32_t n = 0;
        uint32_t first = 0;

        while (strcmp(e[first].why, e[i].why) != 0)
            first++;
        if (first < i)
            continue;
        b.len = 0;
        for (uint32_t j = i; j < c->core.n_excluded; j++) {
            if (strcmp(e[j].why, e[i].why) != 0)
                continue;
            if (n++ < NAMED_MOST)
                assay_buffer_printf(&b, "%s%.*s", n > 1 ? ", " : "", (int)e[j].id.len,
                                    e[j].id.ptr);
        }
        if (n > NAMED_MOST)
            assay_buffer_text(&b, " ...");
        assay_grid_printf(grid, "%u", n);
        assay_grid_text(grid, e[i].why);
        assay_grid_add(grid, assay_buffer_view(&b));
    }
    grid->has_failed |= b.has_failed;
    assay_buffer_clear(&b);
}

void assay_compare_slices(const assay_comparison *c, const assay_run_pair *pair,
                          assay_grid *grid)
{
    const assay_slices *a = &pair->slices_a;
    const assay_slices *b = &pair->slices_b;
    const assay_scores *s = c->scores[0];
    const char *other = assay_side_letter(pair->side);

    *grid = (assay_grid){.n_columns = 6};
    assay_grid_text(grid, a->key);
    assay_grid_text(grid, "metric");
    assay_grid_text(grid, "n");
    assay_grid_text(grid, "a");
    assay_grid_text(grid, other);
    assay_grid_printf(grid, "Δ (%s - a)", other);
    for (uint32_t i = 2; i < 6; i++)
        grid->is_right[i] = true;
    for (uint32_t v = 0; v < a->n; v++) {
        uint32_t w = 0;

        while (w < b->n && !assay_slice_eq(a->value[v], b->value[w]))
            w++;
        for (uint32_t i = 0; w < b->n && i < c->n_measures; i++) {
            const assay_total *x = &a->total[(size_t)v * s->n_columns + i];
            const assay_total *y =
                &b->total[(size_t)w * c->scores[pair->side]->n_columns + i];

            if (isnan(x->value) || isnan(y->value))
                continue;
            assay_grid_add(grid, a->value[v]);
            assay_grid_text(grid, s->column[i].name);
            assay_grid_printf(grid, "%u", x->n);
            put_value(grid, x->value);
            put_value(grid, y->value);
            assay_grid_printf(grid, "%+.4f", y->value - x->value);
        }
    }
}

void assay_compare_overview(const assay_comparison *c, bool has_marks, assay_grid *grid)
{
    static const char *const head[] = {"metric", "n", "a"};
    uint32_t n = c->n_pairs < ASSAY_GRID_COLUMNS - 3 ? c->n_pairs : 0;

    heads(grid, head, 3);
    grid->n_columns = 3 + n;
    grid->is_right[1] = grid->is_right[2] = true;
    for (uint32_t i = 0; i < n; i++)
        assay_grid_printf(grid, "%s (Δ, p %s)", assay_side_letter(c->pair[i].side),
                          c->correction);
    for (uint32_t m = 0; n && m < c->n_measures; m++) {
        const assay_delta *first = &c->pair[0].delta[m];

        put_name(c, first, "", grid);
        assay_grid_printf(grid, "%u", first->n);
        put_value(grid, first->a);
        for (uint32_t i = 0; i < n; i++) {
            const assay_delta *d = &c->pair[i].delta[m];
            char p[32];

            assay_compare_p(d->p_corrected, p, sizeof p);
            if (isnan(d->delta))
                put_value(grid, d->b);
            else
                assay_grid_printf(grid, "%s%.4f (%+.4f, %s)",
                                  has_marks ? delta_mark(c, d) : "", d->b,
                                  d->delta == 0 ? 0.0 : d->delta, p);
        }
    }
}

void assay_compare_tukey(const assay_comparison *c, uint32_t measure, assay_grid *grid)
{
    static const char *const head[] = {"", "mean"};
    uint32_t n = c->n_sides < ASSAY_GRID_COLUMNS - 2 ? c->n_sides : 0;

    heads(grid, head, 2);
    grid->n_columns = 2 + n;
    grid->is_right[1] = true;
    for (uint32_t i = 0; i < n; i++) {
        assay_grid_text(grid, c->side[i].name);
        grid->is_right[2 + i] = true;
    }
    for (uint32_t i = 0; i < n; i++) {
        assay_grid_text(grid, c->side[i].name);
        put_value(grid, c->scores[i]->total[measure].value);
        for (uint32_t j = 0; j < n; j++) {
            if (i == j)
                assay_grid_text(grid, "");
            else
                put_p(grid, c->tukey[measure][(size_t)i * n + j]);
        }
    }
}

void assay_compare_head(const assay_comparison *c, assay_buffer *out)
{
    assay_buffer_printf(out, "%u %s", c->core.n, c->core.n == 1 ? "query" : "queries");
    if (c->core.n_excluded)
        assay_buffer_printf(out, " (%u left out)", c->core.n_excluded);
    if (c->is_recorded) {
        assay_buffer_text(out, ", values as they were recorded");
        return;
    }
    assay_buffer_printf(out, ", level %s, ", assay_level_word(c->level));
    if (c->depth)
        assay_buffer_printf(out, "depth %u, ", c->depth);
    assay_buffer_printf(out, "conventions %s", c->conventions->name);
}

void assay_compare_method(const assay_comparison *c, assay_buffer *out)
{
    assay_buffer_printf(out,
                        "%s test (%s, two-sided), bootstrap interval (BCa, paired), ",
                        c->test, c->is_unpaired ? "unpaired" : "paired");
    if (strcmp(c->correction, "none") == 0)
        assay_buffer_text(out, "p uncorrected");
    else
        assay_buffer_printf(out, "p corrected by %s over %u %s", c->correction,
                            c->n_family, c->n_family == 1 ? "test" : "tests");
    assay_buffer_printf(out, ", seed %llu", (unsigned long long)c->seed);
}
