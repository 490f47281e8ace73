/* SPDX-License-Identifier: Apache-2.0 */
/* A gate on a terminal and as a comment in Markdown, and the words that all writers share. */
#include "report/gate_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/name_list.h"
#include "base/slice.h"
#include "report/grid.h"

static const assay_gate_writer writers[] = {
    {"table", "for a terminal", assay_gate_write_table},
    {"md", "a comment in Markdown", assay_gate_write_md},
    {"json", "assay.gate/1", assay_gate_write_json},
    {"junit", "JUnit XML, a test case for each rule", assay_gate_write_junit},
    {"github", "annotations of GitHub Actions", assay_gate_write_github},
};

const assay_gate_writer *assay_gate_writer_at(size_t i)
{
    return i < ASSAY_COUNT(writers) ? &writers[i] : NULL;
}

const assay_gate_writer *assay_gate_writer_find(const char *name)
{
    for (size_t i = 0; i < ASSAY_COUNT(writers); i++)
        if (strcmp(writers[i].name, name) == 0)
            return &writers[i];
    return NULL;
}

/* ---- words ---- */

bool assay_gate_is_good(const assay_gate_view *view, assay_gate_verdict verdict)
{
    return verdict <= ASSAY_GATE_PASS ||
           (verdict == ASSAY_GATE_INCONCLUSIVE && !view->is_strict);
}

static uint32_t count(const assay_gate *gate, assay_gate_verdict verdict)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < gate->n; i++)
        n += gate->outcome[i].verdict == verdict;
    return n;
}

static const char *rules_do(uint32_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

void assay_gate_sentence(const assay_gate_view *view, assay_buffer *out)
{
    const assay_gate *g = view->gate;
    const uint32_t n = count(g, g->verdict);

    assay_buffer_printf(out, "%s: ", assay_gate_verdict_word(g->verdict));
    switch (g->verdict) {
    case ASSAY_GATE_PASS:
        assay_buffer_printf(out, "%s", g->n == 1 ? "the rule holds" : "all rules hold");
        break;
    case ASSAY_GATE_IMPROVE:
        assay_buffer_printf(out, "all rules hold, and %u %s better than before", n,
                            rules_do(n, "metric is", "metrics are"));
        break;
    case ASSAY_GATE_INCONCLUSIVE:
        assay_buffer_printf(out, "%u of %u rules cannot be decided by so few queries", n,
                            g->n);
        break;
    case ASSAY_GATE_REGRESS:
        assay_buffer_printf(out, "%u of %u rules %s not hold", n, g->n,
                            rules_do(n, "does", "do"));
        break;
    case ASSAY_GATE_INCOMPARABLE:
        assay_buffer_printf(out, "%u of %u rules cannot be judged", n, g->n);
        break;
    }
}

uint32_t assay_gate_line(const assay_gate_view *view, assay_slice id)
{
    const uint32_t at =
        view->golden ? assay_dict_find(&view->golden->ids, id) : ASSAY_NONE;

    return at == ASSAY_NONE ? 0 : view->golden->query[at].line;
}

static int by_id(const void *key, const void *item)
{
    return assay_slice_cmp(*(const assay_slice *)key,
                           ((const assay_gate_query *)item)->id);
}

const assay_gate_query *assay_gate_query_of(const assay_gate_view *view, assay_slice id)
{
    if (!view->n_queries)
        return NULL;
    return bsearch(&id, view->query, view->n_queries, sizeof *view->query, by_id);
}

/* ---- one rule in words ---- */

static void explain_protected(const assay_gate_outcome *o, assay_buffer *out)
{
    assay_name_list lost = {0};
    assay_name_list absent = {0};

    if (!o->n_lost && !o->n_absent)
        assay_buffer_printf(out, "none of %u lost", o->n);
    for (uint32_t i = 0; i < o->n_lost; i++)
        assay_name_list_add(&lost, o->lost[i]);
    for (uint32_t i = 0; i < o->n_absent; i++)
        assay_name_list_add(&absent, o->absent[i]);
    if (o->n_lost)
        assay_buffer_printf(out, "%u of %u went from hit to miss: %s", o->n_lost, o->n,
                            assay_name_list_text(&lost));
    if (o->n_absent)
        assay_buffer_printf(out, "%s%u could not be compared: %s", o->n_lost ? "; " : "",
                            o->n_absent, assay_name_list_text(&absent));
}

static void explain_margin(const assay_gate_outcome *o, assay_buffer *out)
{
    if (!o->n)
        return;
    assay_buffer_printf(out, "drop %.4f", o->figure);
    if (!isnan(o->low))
        assay_buffer_printf(out, " in [%.4f, %.4f]", o->low, o->high);
    assay_buffer_printf(out, ", margin %.4g, %u queries", o->limit, o->n);
    if (o->verdict == ASSAY_GATE_INCONCLUSIVE && o->needed)
        assay_buffer_printf(out, "; about %u would decide it if that is the drop",
                            o->needed);
    else if (o->verdict == ASSAY_GATE_INCONCLUSIVE && o->n > 1)
        assay_buffer_text(out, "; no number of queries tells a drop from a margin that "
                               "it equals");
}

void assay_gate_explain(const assay_gate_outcome *o, assay_buffer *out)
{
    const bool is_good = o->verdict <= ASSAY_GATE_PASS;
    const size_t before = out->len;

    if (o->verdict == ASSAY_GATE_INCOMPARABLE) {
        assay_buffer_text(out, o->note);
        return;
    }
    switch (o->rule->kind) {
    case ASSAY_GATE_THRESHOLD:
        if (o->n)
            assay_buffer_printf(out, "%.4f is %s%s %.4g, %u queries", o->figure,
                                is_good ? "" : "not ",
                                assay_limit_sign_text(o->rule->sign), o->limit, o->n);
        break;
    case ASSAY_GATE_MAX_DROP:
        if (o->n)
            assay_buffer_printf(
                out, "from %.4f to %.4f: drop %.4f is %s %.4g, %u queries", o->before,
                o->after, o->figure, is_good ? "within" : "beyond", o->limit, o->n);
        break;
    case ASSAY_GATE_PROTECT: explain_protected(o, out); break;
    case ASSAY_GATE_MARGIN_RULE: explain_margin(o, out); break;
    }
    if (o->note[0])
        assay_buffer_printf(out, "%s%s", out->len > before ? "; " : "", o->note);
}

/* ---- tables ---- */

static const char *mark(const assay_gate_view *view, assay_gate_verdict verdict)
{
    if (verdict <= ASSAY_GATE_PASS)
        return "✓";
    return assay_gate_is_good(view, verdict) ? "⚠" : "✗";
}

static void put_number(assay_grid *grid, double value)
{
    if (isnan(value))
        assay_grid_text(grid, "-");
    else
        assay_grid_printf(grid, "%.4f", value);
}

static void put_limit(assay_grid *grid, const assay_gate_outcome *o)
{
    if (isnan(o->limit))
        assay_grid_text(grid, "-");
    else
        assay_grid_printf(grid, "%.4g", o->limit);
}

static void put_row(const assay_gate_view *view, const assay_gate_outcome *o,
                    assay_grid *grid)
{
    const assay_gate_kind kind = o->rule->kind;

    assay_grid_printf(grid, "%s %s", mark(view, o->verdict),
                      assay_gate_verdict_word(o->verdict));
    assay_grid_text(grid, o->rule->text);
    put_number(grid, o->before);
    put_number(grid, o->after);
    if (kind == ASSAY_GATE_THRESHOLD)
        assay_grid_text(grid, "-");
    else if (kind == ASSAY_GATE_PROTECT)
        assay_grid_printf(grid, "%u lost", o->n_lost);
    else
        put_number(grid, o->figure);
    put_limit(grid, o);
    if (o->verdict == ASSAY_GATE_INCOMPARABLE)
        assay_grid_text(grid, "-");
    else
        assay_grid_printf(grid, "%u", o->n);
    if (isnan(o->low))
        assay_grid_text(grid, "-");
    else
        assay_grid_printf(grid, "[%.4f, %.4f]", o->low, o->high);
    put_number(grid, o->smallest);
}

static void fill_grid(const assay_gate_view *view, assay_grid *grid)
{
    static const char *const head[] = {"verdict", "rule", "before", "after",    "drop",
                                       "limit",   "n",    "bounds", "would see"};

    *grid = (assay_grid){.n_columns = ASSAY_COUNT(head)};
    for (size_t i = 2; i < ASSAY_COUNT(head); i++)
        grid->is_right[i] = true;
    for (size_t i = 0; i < ASSAY_COUNT(head); i++)
        assay_grid_text(grid, head[i]);
    for (uint32_t i = 0; i < view->gate->n; i++)
        put_row(view, &view->gate->outcome[i], grid);
}

/* What the run was held against. */
static void put_sides(const assay_gate_view *view, assay_buffer *out)
{
    assay_buffer_printf(out, "run %s", view->run);
    if (view->run_when && view->run_when[0])
        assay_buffer_printf(out, " (%s)", view->run_when);
    if (!view->baseline)
        return;
    assay_buffer_printf(out, ", baseline %s", view->baseline);
    if (view->baseline_when && view->baseline_when[0])
        assay_buffer_printf(out, " (%s)", view->baseline_when);
    assay_buffer_printf(out, ", %u queries compared", view->gate->n_core);
    if (view->n_excluded)
        assay_buffer_printf(out, ", %u left out", view->n_excluded);
}

static void put_lost(const assay_gate_view *view, const assay_gate_outcome *o,
                     const char *bullet, assay_buffer *out)
{
    for (uint32_t i = 0; i < o->n_lost; i++) {
        const assay_gate_query *q = assay_gate_query_of(view, o->lost[i]);
        const uint32_t line = assay_gate_line(view, o->lost[i]);

        assay_buffer_printf(out, "%s%.*s: rank %u→miss", bullet, ASSAY_QUOTE(o->lost[i]),
                            q ? q->before : 0);
        if (line && view->golden->path)
            assay_buffer_printf(out, " (%s:%u)", view->golden->path, line);
        assay_buffer_char(out, '\n');
    }
}

/* Rules that do not simply hold, each on a line with its reason. */
static void put_reasons(const assay_gate_view *view, const char *bullet,
                        const char *deeper, assay_buffer *out)
{
    for (uint32_t i = 0; i < view->gate->n; i++) {
        const assay_gate_outcome *o = &view->gate->outcome[i];

        if (o->verdict <= ASSAY_GATE_PASS && !o->note[0])
            continue;
        assay_buffer_printf(out, "%s%s: ", bullet, o->rule->text);
        assay_gate_explain(o, out);
        assay_buffer_char(out, '\n');
        put_lost(view, o, deeper, out);
    }
}

static void put_excluded(const assay_gate_view *view, const char *bullet,
                         assay_buffer *out)
{
    const assay_excluded *e = view->excluded;

    /* One line a reason. */
    for (uint32_t i = 0; i < view->n_excluded; i++) {
        assay_name_list names = {0};
        uint32_t first = 0;

        while (strcmp(e[first].why, e[i].why) != 0)
            first++;
        if (first < i)
            continue;
        for (uint32_t j = i; j < view->n_excluded; j++)
            if (strcmp(e[j].why, e[i].why) == 0)
                assay_name_list_add(&names, e[j].id);
        assay_buffer_printf(out, "%sleft out, %s: %s\n", bullet, e[i].why,
                            assay_name_list_text(&names));
    }
    for (size_t i = 0; view->notes && i < view->notes->n; i++)
        assay_buffer_printf(out, "%s%s\n", bullet, view->notes->text[i]);
}

static void put_method(const assay_gate_view *view, assay_buffer *out)
{
    const assay_gate *g = view->gate;

    assay_buffer_printf(out, "bounds: one-sided t, alpha %.4g", g->alpha);
    if (g->n_inferential > 1)
        assay_buffer_printf(out, ", Holm over %u margins", g->n_inferential);
    assay_buffer_printf(out,
                        "; would see: smallest drop that so many queries show with "
                        "power %.4g",
                        g->power);
    if (view->level && view->level[0])
        assay_buffer_printf(out, "; level %s", view->level);
    if (view->match && view->match[0])
        assay_buffer_printf(out, "; chunker_version_match: %s", view->match);
}

void assay_gate_write_table(const assay_gate_view *view, assay_buffer *out)
{
    assay_grid grid;

    assay_gate_sentence(view, out);
    assay_buffer_text(out, "\n\n");
    put_sides(view, out);
    assay_buffer_text(out, "\n\n");
    fill_grid(view, &grid);
    out->has_failed = out->has_failed || grid.has_failed;
    assay_grid_print(&grid, out);
    assay_grid_clear(&grid);
    assay_buffer_char(out, '\n');
    put_reasons(view, "", "  ", out);
    put_excluded(view, "", out);
    put_method(view, out);
    assay_buffer_char(out, '\n');
}

void assay_gate_write_md(const assay_gate_view *view, assay_buffer *out)
{
    assay_grid grid;

    assay_buffer_printf(out, "### assay gate %s ", mark(view, view->gate->verdict));
    assay_gate_sentence(view, out);
    assay_buffer_text(out, "\n\n");
    put_sides(view, out);
    assay_buffer_text(out, "\n\n");
    fill_grid(view, &grid);
    out->has_failed = out->has_failed || grid.has_failed;
    assay_grid_markdown(&grid, out);
    assay_grid_clear(&grid);
    assay_buffer_char(out, '\n');
    put_reasons(view, "- ", "  - ", out);
    put_excluded(view, "- ", out);
    assay_buffer_text(out, "\n<sub>");
    put_method(view, out);
    assay_buffer_text(out, "</sub>\n");
}
