/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as one page of Markdown that is read in a minute: the verdict, the table,
 * the regressions with what was expected and what came instead, then the rest.  The same
 * comparison gives the same bytes: there is no time of writing in it. */
#include <string.h>

#include "base/slice.h"
#include "report/compare_report.h"

enum {
    DETAILS_MOST = 50,  /* regressions that are shown with their hits */
    QUERIES_MOST = 300, /* queries up to which draws are listed too */
    TEXT_MOST = 160,
    EXPECTED_MOST = 5
};

/* ---- text ---- */

/* On one line, cut at the end of a character, without what Markdown would take amiss. */
static void put_text(assay_buffer *out, assay_slice text)
{
    size_t len = text.len < TEXT_MOST ? text.len : TEXT_MOST;

    while (len < text.len && len && ((unsigned char)text.ptr[len] & 0xC0) == 0x80)
        len--;
    for (size_t i = 0; i < len; i++) {
        char ch = text.ptr[i];

        if ((unsigned char)ch < ' ')
            ch = ' ';
        if (strchr("\\`*_<>[]#|", ch))
            assay_buffer_char(out, '\\');
        assay_buffer_char(out, ch);
    }
    if (len < text.len)
        assay_buffer_text(out, "…");
}

static void put_code(assay_buffer *out, assay_slice text)
{
    assay_buffer_printf(out, "`%.*s`", (int)text.len, text.ptr);
}

static void put_grid(assay_grid *grid, assay_buffer *out)
{
    if (grid->has_failed)
        out->has_failed = true;
    assay_grid_markdown(grid, out);
    assay_grid_clear(grid);
}

static void put_part(assay_grid *grid, const char *heading, assay_buffer *out)
{
    if (grid->n <= grid->n_columns) {
        assay_grid_clear(grid);
        return;
    }
    assay_buffer_printf(out, "\n%s\n\n", heading);
    put_grid(grid, out);
}

/* ---- the head ---- */

static void put_side(const assay_comparison *c, uint32_t i, assay_buffer *out)
{
    const assay_compare_side *s = &c->side[i];

    assay_buffer_printf(out, "- %s: `%s`", assay_side_letter(i), s->name);
    if (s->caption && s->caption[0])
        assay_buffer_printf(out, ", %s", s->caption);
    if (s->when && s->when[0])
        assay_buffer_printf(out, ", %s", s->when);
    if (s->snapshot && s->snapshot->method.len) {
        assay_buffer_text(out, ", ");
        put_code(out, s->snapshot->method);
    }
    assay_buffer_char(out, '\n');
}

static void put_head(const assay_comparison *c, const assay_run_pair *pair,
                     assay_buffer *out)
{
    assay_buffer_printf(out, "**%s.**\n\n# Compare: `%s` and `%s`\n\n", pair->sentence,
                        c->side[0].name, c->side[pair->side].name);
    put_side(c, 0, out);
    put_side(c, pair->side, out);
    assay_buffer_text(out, "- ");
    assay_compare_head(c, out);
    assay_buffer_char(out, '\n');
}

/* ---- regressions ---- */

static void put_expected(const assay_golden *g, const assay_query *q, assay_buffer *out)
{
    uint32_t n = 0;

    assay_buffer_text(out, "- expected: ");
    for (uint32_t i = 0; i < q->n_judgments; i++) {
        const assay_judgment *j = &q->judgment[i];

        if (j->grade < 1 || n++ >= EXPECTED_MOST)
            continue;
        if (n > 1)
            assay_buffer_text(out, "; ");
        if (j->doc != ASSAY_NONE)
            put_code(out, g->docs.word[j->doc]);
        if (j->chunk != ASSAY_NONE) {
            assay_buffer_text(out, j->doc != ASSAY_NONE ? " chunk " : "chunk ");
            put_code(out, g->chunks.word[j->chunk]);
        }
        if (j->quote.len) {
            assay_buffer_text(out, " “");
            put_text(out, j->quote);
            assay_buffer_text(out, "”");
        } else if (j->n_spans && j->chunk == ASSAY_NONE) {
            assay_buffer_printf(out, " bytes %llu-%llu",
                                (unsigned long long)j->span[0].start,
                                (unsigned long long)j->span[j->n_spans - 1].end);
        }
    }
    if (n > EXPECTED_MOST)
        assay_buffer_printf(out, "; and %u more", n - EXPECTED_MOST);
    assay_buffer_char(out, '\n');
}

static void put_instead(const assay_comparison *c, const assay_run_pair *pair, uint32_t q,
                        assay_buffer *out)
{
    const assay_found *f = &c->found[pair->side][q];

    assay_buffer_printf(out, "- %s instead: ", assay_side_letter(pair->side));
    if (f->is_missing || f->is_failed)
        assay_buffer_text(out, f->is_missing ? "no result" : "an error");
    else if (!f->n_top)
        assay_buffer_text(out, "no hits");
    for (uint32_t i = 0; i < f->n_top; i++) {
        assay_buffer_printf(out, "%s%u. ", i ? " " : "", i + 1);
        if (f->top_doc[i].len) {
            put_code(out, f->top_doc[i]);
            assay_buffer_text(out, " chunk ");
        }
        put_code(out, f->top[i]);
        if (f->top_text[i].len) {
            assay_buffer_text(out, " “");
            put_text(out, f->top_text[i]);
            assay_buffer_text(out, "”");
        }
    }
    assay_buffer_char(out, '\n');
}

static void put_regression(const assay_comparison *c, const assay_run_pair *pair,
                           uint32_t i, assay_buffer *out)
{
    const assay_query_change *q = &pair->query[i];
    const assay_golden *g = c->side[pair->side].golden;

    assay_buffer_text(out, "\n### ");
    put_code(out, q->id);
    if (q->text.len) {
        assay_buffer_char(out, ' ');
        put_text(out, q->text);
    }
    assay_buffer_text(out, "\n\n");
    put_expected(g, &g->query[c->core.query[pair->side][i]], out);
    assay_buffer_printf(out, "- a: rank %u\n", q->rank_a);
    put_instead(c, pair, i, out);
    assay_buffer_printf(out, "- %s\n", q->note);
}

static void put_regressions(const assay_comparison *c, const assay_run_pair *pair,
                            assay_buffer *out)
{
    uint32_t total = pair->n_kind[ASSAY_KIND_REGRESSION];
    uint32_t n = 0;

    if (!total)
        return;
    assay_buffer_printf(out, "\n## Regressions (%u)\n", total);
    for (uint32_t i = 0; i < c->core.n; i++)
        if (pair->query[i].kind == ASSAY_KIND_REGRESSION && n++ < DETAILS_MOST)
            put_regression(c, pair, i, out);
    if (n > DETAILS_MOST)
        assay_buffer_printf(out, "\nAnd %u more, in the table below.\n",
                            n - DETAILS_MOST);
}

/* ---- the rest ---- */

static void put_changes(const assay_compare_view *view, const assay_run_pair *pair,
                        assay_buffer *out)
{
    const assay_comparison *c = view->comparison;
    bool with_draws = view->with_queries || c->core.n <= QUERIES_MOST;
    uint32_t n_hidden = 0;
    assay_grid grid;

    for (uint32_t i = 0; i < c->core.n; i++)
        n_hidden += !assay_compare_shows(&pair->query[i], with_draws);
    assay_buffer_printf(
        out, "\n## Wins (%u) / Losses (%u) / Regressions (%u) / Draws (%u)\n\n",
        pair->n_kind[ASSAY_KIND_WIN], pair->n_kind[ASSAY_KIND_LOSS],
        pair->n_kind[ASSAY_KIND_REGRESSION], pair->n_kind[ASSAY_KIND_DRAW]);
    assay_compare_changes(c, pair, &(assay_compare_rows){.with_draws = with_draws},
                          &grid);
    put_grid(&grid, out);
    if (n_hidden)
        assay_buffer_printf(out, "\n%u draws are not listed.\n", n_hidden);
}

static void put_failed(const assay_comparison *c, const assay_run_pair *pair,
                       assay_buffer *out)
{
    const uint32_t side[] = {0, pair->side};
    assay_grid grid = {.n_columns = 3};

    assay_grid_text(&grid, "query_id");
    assay_grid_text(&grid, "run");
    assay_grid_text(&grid, "what");
    for (uint32_t q = 0; q < c->core.n; q++)
        for (size_t i = 0; i < 2; i++) {
            const assay_found *f = &c->found[side[i]][q];

            if (!f->is_failed && !f->is_missing)
                continue;
            assay_grid_add(&grid, c->core.id[q]);
            assay_grid_text(&grid, assay_side_letter(side[i]));
            if (f->is_missing)
                assay_grid_text(&grid, "not in the run");
            else
                assay_grid_printf(&grid, "failed: %.*s", ASSAY_QUOTE(f->error));
        }
    put_part(&grid, "## Failed and missing queries", out);
}

static void put_pair(const assay_compare_view *view, const assay_run_pair *pair,
                     assay_buffer *out)
{
    const assay_comparison *c = view->comparison;
    assay_grid grid;

    put_head(c, pair, out);
    assay_buffer_text(out, "\n## Aggregate deltas\n\n");
    assay_compare_deltas(c, pair, false, &grid);
    put_grid(&grid, out);
    if (c->is_recorded) {
        if (pair->query)
            put_changes(view, pair, out);
        return;
    }
    assay_buffer_printf(out, "\nchunker_version_match: `%s`\n",
                        assay_match_word(c->matching.match));
    assay_compare_differs(c, pair, &grid);
    put_part(&grid, "## What else differs", out);
    put_regressions(c, pair, out);
    put_changes(view, pair, out);
    if (pair->has_answers) {
        assay_compare_answers(pair, &grid);
        put_part(&grid, "## Answers", out);
        assay_compare_answer_rows(c, pair, 0, &grid);
        put_part(&grid, "### Answers that changed", out);
    }
    if (pair->slices_a.key) {
        assay_compare_slices(c, pair, &grid);
        put_part(&grid, "## Slices", out);
    }
    put_failed(c, pair, out);
}

static void put_all_pairs(const assay_comparison *c, assay_buffer *out)
{
    assay_grid grid;

    if (c->n_pairs > 1) {
        assay_compare_overview(c, false, &grid);
        put_part(&grid, "## All against a", out);
    }
    for (uint32_t i = 0; c->tukey && i < c->n_measures; i++) {
        if (!c->tukey[i])
            continue;
        assay_compare_tukey(c, i, &grid);
        assay_buffer_printf(out, "\n## %s: p of all pairs (randomised Tukey HSD)\n\n",
                            c->scores[0]->column[i].name);
        put_grid(&grid, out);
    }
}

void assay_compare_write_md(const assay_compare_view *view, assay_buffer *out)
{
    const assay_comparison *c = view->comparison;
    assay_grid grid;

    for (uint32_t i = 0; i < c->n_pairs; i++) {
        if (i)
            assay_buffer_char(out, '\n');
        put_pair(view, &c->pair[i], out);
    }
    put_all_pairs(c, out);
    assay_compare_excluded(c, &grid);
    put_part(&grid, "## Excluded queries", out);
    assay_buffer_text(out, "\n## How\n\n- ");
    assay_compare_method(c, out);
    assay_buffer_char(out, '\n');
    for (size_t i = 0; i < c->notes.n; i++)
        assay_buffer_printf(out, "- %s\n", c->notes.text[i]);
}
