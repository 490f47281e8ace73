/* SPDX-License-Identifier: Apache-2.0 */
#include "report/sheets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/slice.h"
#include "base/utf8.h"

enum { NAMED_MOST = 10, IDS_MOST = 5, ERROR_MOST = 300 };

/* ---- totals ---- */

static void put_n(const assay_report *report, uint32_t column, assay_grid *grid)
{
    char text[200] = "";
    size_t used = 0;
    bool differs = false;

    for (uint32_t r = 1; r < report->n_runs; r++)
        differs |= report->run[r].scores->total[column].n !=
                   report->run[0].scores->total[column].n;
    for (uint32_t r = 0; r < (differs ? report->n_runs : 1) && used + 16 < sizeof text;
         r++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", r ? "/" : "",
                                 report->run[r].scores->total[column].n);
    assay_grid_text(grid, text);
}

/* Whether run r has the best value of the row, alone or with others. */
static bool is_best(const assay_report *report, uint32_t column, uint32_t r)
{
    const assay_column *c = &report->run[r].scores->column[column];
    double own = report->run[r].scores->total[column].value;

    if (report->n_runs < 2 || c->has_no_direction || isnan(own))
        return false;
    for (uint32_t i = 0; i < report->n_runs; i++) {
        double other = report->run[i].scores->total[column].value;

        if (c->is_lower_better ? other < own : other > own)
            return false;
    }
    return true;
}

static void put_total(const assay_report *report, uint32_t column, uint32_t r,
                      assay_grid *grid)
{
    const assay_report_run *run = &report->run[r];
    const assay_total *t = &run->scores->total[column];
    const char *mark = "";
    char value[100];

    assay_report_value(run, column, t, value, sizeof value);
    if (report->marks_best)
        mark = is_best(report, column, r) ? " *" : "  ";
    if (report->confidence > 0 && !isnan(t->low))
        assay_grid_printf(grid, "%s [%.4f, %.4f]%s", value, t->low, t->high, mark);
    else if (report->with_spread && !isnan(t->spread))
        assay_grid_printf(grid, "%s ± %.4f%s", value, t->spread, mark);
    else
        assay_grid_printf(grid, "%s%s", value, mark);
}

void assay_sheet_totals(const assay_report *report, assay_grid *grid)
{
    const assay_scores *first = report->run[0].scores;

    *grid = (assay_grid){.n_columns = 2 + report->n_runs};
    assay_grid_text(grid, "measure");
    assay_grid_text(grid, "n");
    grid->is_right[1] = true;
    for (uint32_t r = 0; r < report->n_runs; r++) {
        assay_grid_text(grid, report->run[r].name);
        grid->is_right[2 + r] = true;
    }
    for (uint32_t c = 0; c < first->n_columns; c++) {
        const assay_column *column = &first->column[c];

        /* The level stands in the head; say it where a measure has its own. */
        if (column->has_level && column->level != report->level &&
            !strstr(column->name, "level="))
            assay_grid_printf(grid, "%s (%s)", column->name,
                              assay_level_word(column->level));
        else
            assay_grid_text(grid, column->name);
        put_n(report, c, grid);
        for (uint32_t r = 0; r < report->n_runs; r++)
            put_total(report, c, r, grid);
    }
}

/* ---- counts ---- */

bool assay_sheet_count(const assay_counts *counts, size_t i, assay_count *out)
{
    const assay_count all[] = {
        {"total_queries", "queries", counts->total, true},
        {"labelled", "labelled", counts->labelled, true},
        {"unlabelled", "unlabelled", counts->unlabelled, false},
        {"should_refuse", "should refuse", counts->should_refuse, false},
        {"negative", "negative", counts->negative, false},
        {"stale", "stale (no score)", counts->stale, false},
        {"drafts", "drafts (not counted)", counts->drafts, false},
        {"missing", "missing from the run", counts->missing, true},
        {"failed_queries", "failed", counts->failed, true},
        {"empty_results", "empty results", counts->empty, false},
        {"extra", "not in the golden set", counts->extra, false},
        {"duplicates", "duplicate hits", counts->duplicates, false},
        {"ties", "ties across a cutoff", counts->ties, false},
        {"self_hits", "own id as a hit", counts->self_hits, false},
    };

    if (i >= ASSAY_COUNT(all))
        return false;
    *out = all[i];
    return true;
}

void assay_sheet_counts(const assay_report *report, assay_grid *grid)
{
    assay_count count;

    *grid = (assay_grid){.n_columns = 1 + report->n_runs};
    assay_grid_text(grid, "count");
    for (uint32_t r = 0; r < report->n_runs; r++) {
        assay_grid_text(grid, report->run[r].name);
        grid->is_right[1 + r] = true;
    }
    for (size_t i = 0; assay_sheet_count(&report->run[0].scores->counts, i, &count);
         i++) {
        bool is_shown = count.is_always;

        for (uint32_t r = 0; r < report->n_runs; r++) {
            assay_sheet_count(&report->run[r].scores->counts, i, &count);
            is_shown |= count.value > 0;
        }
        if (!is_shown)
            continue;
        assay_grid_text(grid, count.words);
        for (uint32_t r = 0; r < report->n_runs; r++) {
            assay_sheet_count(&report->run[r].scores->counts, i, &count);
            assay_grid_printf(grid, "%llu", (unsigned long long)count.value);
        }
    }
    assay_grid_printf(grid, "judged@%u", report->run[0].scores->counts.judged_k);
    for (uint32_t r = 0; r < report->n_runs; r++) {
        const assay_counts *c = &report->run[r].scores->counts;

        if (c->judged_of)
            assay_grid_printf(grid, "%.4f", (double)c->judged / (double)c->judged_of);
        else
            assay_grid_text(grid, "n/a");
    }
}

/* ---- refusals ---- */

static bool has_refusals(const assay_report_run *run)
{
    const assay_refusals *t = &run->scores->counts.refusals;

    return run->scores->counts.should_refuse &&
           t->refusal_right + t->refusal_wrong + t->answered_right + t->answered_wrong;
}

static void put_refusals(const assay_report *report, const assay_report_run *run,
                         assay_grid *grid)
{
    const assay_refusals *t = &run->scores->counts.refusals;
    bool is_one = report->n_runs == 1;

    assay_grid_printf(grid, "%s%sshould refuse", is_one ? "" : run->name,
                      is_one ? "" : ": ");
    assay_grid_printf(grid, "%u right", t->refusal_right);
    assay_grid_printf(grid, "%u wrong", t->answered_wrong);
    assay_grid_text(grid, "-");
    assay_grid_text(grid, "-");
    assay_grid_printf(grid, "%u", t->no_answer);
    assay_grid_printf(grid, "%s%sanswerable", is_one ? "" : run->name,
                      is_one ? "" : ": ");
    assay_grid_printf(grid, "%u wrong", t->refusal_wrong);
    assay_grid_printf(grid, "%u right", t->answered_right);
    assay_grid_printf(grid, "%u", t->grounded);
    assay_grid_printf(grid, "%u", t->ungrounded);
    assay_grid_printf(grid, "%u", t->no_answer_answerable);
}

bool assay_sheet_refusals(const assay_report *report, assay_grid *grid)
{
    static const char *const head[] = {"answers",  "refused",      "answered",
                                       "grounded", "not grounded", "no answer"};
    bool has_some = false;

    *grid = (assay_grid){.n_columns = ASSAY_COUNT(head)};
    for (uint32_t r = 0; r < report->n_runs; r++)
        has_some |= has_refusals(&report->run[r]);
    if (!has_some)
        return false;
    for (uint32_t i = 0; i < ASSAY_COUNT(head); i++) {
        assay_grid_text(grid, head[i]);
        grid->is_right[i] = i > 0;
    }
    for (uint32_t r = 0; r < report->n_runs; r++)
        if (has_refusals(&report->run[r]))
            put_refusals(report, &report->run[r], grid);
    return true;
}

/* ---- queries and slices ---- */

static void put_heads(const assay_scores *scores, uint32_t first, assay_grid *grid)
{
    for (uint32_t c = 0; c < scores->n_columns && first + c < ASSAY_GRID_COLUMNS; c++) {
        assay_grid_text(grid, scores->column[c].name);
        grid->is_right[first + c] = true;
    }
}

static uint32_t shown_columns(const assay_scores *scores, uint32_t first)
{
    uint32_t room = ASSAY_GRID_COLUMNS - first;

    return scores->n_columns < room ? scores->n_columns : room;
}

static const char *state_of(const assay_row *row)
{
    static const char *const by_label[] = {"", "unlabelled", "should refuse", "negative",
                                           "stale"};

    return row->is_missing ? "missing" : row->is_failed ? "failed" : by_label[row->label];
}

void assay_sheet_queries(const assay_report *report, const assay_report_run *run,
                         assay_grid *grid)
{
    const assay_scores *s = run->scores;
    uint32_t n = shown_columns(s, 2);

    (void)report;
    *grid = (assay_grid){.n_columns = 2 + n};
    assay_grid_text(grid, "query");
    assay_grid_text(grid, "state");
    put_heads(s, 2, grid);
    for (uint32_t r = 0; r < s->n_rows; r++) {
        assay_grid_add(grid, s->row[r].id);
        assay_grid_text(grid, state_of(&s->row[r]));
        for (uint32_t c = 0; c < n; c++) {
            double v = *assay_scores_cell(s, r, c);

            if (isnan(v))
                assay_grid_text(grid, "-");
            else
                assay_grid_printf(grid, "%.4f", v);
        }
    }
}

void assay_sheet_slices(const assay_report *report, const assay_report_run *run,
                        assay_grid *grid)
{
    const assay_slices *slices = &run->slices;
    uint32_t n = shown_columns(run->scores, 2);

    (void)report;
    *grid = (assay_grid){.n_columns = 2 + n};
    assay_grid_text(grid, slices->key);
    assay_grid_text(grid, "queries");
    put_heads(run->scores, 2, grid);
    grid->is_right[1] = true;
    for (uint32_t i = 0; i < slices->n; i++) {
        assay_grid_add(grid, slices->value[i]);
        assay_grid_printf(grid, "%u", slices->n_rows[i]);
        for (uint32_t c = 0; c < n; c++) {
            const assay_total *t = &slices->total[(size_t)i * run->scores->n_columns + c];

            if (isnan(t->value))
                assay_grid_printf(grid, "n=%u", t->n);
            else
                assay_grid_printf(grid, "%.4f", t->value);
        }
    }
}

/* ---- notes ---- */

static void end_line(assay_buffer *text, assay_sheet_line *line, assay_buffer *out)
{
    assay_buffer_char(text, '\0');
    if (text->has_failed)
        out->has_failed = true;
    else
        line(out, text->ptr);
    text->len = 0;
}

static void note_missing(const assay_report_run *run, assay_buffer *text,
                         assay_sheet_line *line, assay_buffer *out)
{
    uint32_t n = 0;

    for (uint32_t r = 0; r < run->scores->n_rows; r++) {
        const assay_row *row = &run->scores->row[r];

        if (!row->is_missing)
            continue;
        if (!n)
            assay_buffer_printf(text, "%s: missing: ", run->name);
        if (n < NAMED_MOST)
            assay_buffer_printf(text, "%s%.*s", n ? ", " : "", ASSAY_QUOTE(row->id));
        n++;
    }
    if (n > NAMED_MOST)
        assay_buffer_printf(text, " and %u more", n - NAMED_MOST);
    if (n)
        end_line(text, line, out);
}

/* Long enough for what a system wrote last, which is quoted at the end. */
static void put_error(assay_slice error, assay_buffer *text)
{
    bool is_cut = error.len > ERROR_MOST;

    if (is_cut)
        error.len = assay_utf8_floor(error, ERROR_MOST);
    assay_buffer_slice(text, error);
    if (is_cut)
        assay_buffer_text(text, "...");
}

static void note_failed(const assay_report *report, const assay_report_run *run,
                        assay_buffer *text, assay_sheet_line *line, assay_buffer *out)
{
    uint32_t n = 0;

    for (uint32_t r = 0; r < run->scores->n_rows; r++) {
        const assay_row *row = &run->scores->row[r];
        assay_slice error = ASSAY_LIT("");

        if (!row->is_failed || n++ >= NAMED_MOST)
            continue;
        if (run->run->result)
            error = run->run->result[row->result].error;
        assay_buffer_printf(text, "%s: failed: %.*s: ", run->name, ASSAY_QUOTE(row->id));
        put_error(error, text);
        assay_buffer_text(text, "; expected ");
        assay_report_expected(report, row, IDS_MOST, text);
        assay_buffer_text(text, "; retrieved ");
        assay_report_retrieved(run, row, IDS_MOST, text);
        end_line(text, line, out);
    }
    if (n > NAMED_MOST) {
        assay_buffer_printf(text, "%s: failed: %u more", run->name, n - NAMED_MOST);
        end_line(text, line, out);
    }
}

static void note_depth(const assay_report_run *run, assay_buffer *text,
                       assay_sheet_line *line, assay_buffer *out)
{
    uint32_t n = 0;

    for (uint32_t c = 0; c < run->scores->n_columns; c++) {
        if (!run->scores->column[c].is_too_deep)
            continue;
        if (!n)
            assay_buffer_printf(text, "%s: at most %u hits a query, too few for ",
                                run->name, run->scores->counts.depth);
        assay_buffer_printf(text, "%s%s", n++ ? ", " : "", run->scores->column[c].name);
    }
    if (n)
        end_line(text, line, out);
}

static void note_slices(const assay_report_run *run, assay_buffer *text,
                        assay_sheet_line *line, assay_buffer *out)
{
    const assay_slices *s = &run->slices;

    if (!s->key || !s->n_withheld)
        return;
    assay_buffer_printf(
        text, "%s: %u value%s of %s withheld: fewer than %u queries (%u in all)",
        run->name, s->n_withheld, s->n_withheld == 1 ? "" : "s", s->key, s->min_n,
        s->rows_withheld);
    end_line(text, line, out);
}

static void note_alarms(const assay_report *report, const assay_report_run *run,
                        assay_buffer *text, assay_sheet_line *line, assay_buffer *out)
{
    for (const assay_alarm *a = report->conventions->alarm; a->measure; a++) {
        uint32_t c = assay_scores_column(run->scores, a->measure);

        if (c == ASSAY_NONE || !(run->scores->total[c].value < a->below))
            continue;
        assay_buffer_printf(text, "%s: warning: %s is %.4f, below %g", run->name,
                            a->measure, run->scores->total[c].value, a->below);
        end_line(text, line, out);
    }
}

void assay_sheet_notes(const assay_report *report, assay_sheet_line *line,
                       assay_buffer *out)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    for (size_t i = 0; i < report->notes.n; i++)
        line(out, report->notes.text[i]);
    for (uint32_t r = 0; r < report->n_runs; r++) {
        const assay_report_run *run = &report->run[r];

        note_missing(run, &text, line, out);
        note_failed(report, run, &text, line, out);
        note_depth(run, &text, line, out);
        note_slices(run, &text, line, out);
        note_alarms(report, run, &text, line, out);
    }
    assay_buffer_clear(&text);
}

/* ---- the whole page ---- */

static void put_grid(const assay_sheet_style *style, assay_grid *grid, assay_buffer *out)
{
    style->grid(grid, out);
    assay_grid_clear(grid);
}

static void put_run(const assay_report *report, const assay_report_run *run,
                    const assay_sheet_style *style, assay_buffer *out)
{
    assay_grid grid;

    if (run->slices.key) {
        assay_buffer_printf(out, "\n%s%s by %s\n\n", style->heading, run->name,
                            run->slices.key);
        assay_sheet_slices(report, run, &grid);
        put_grid(style, &grid, out);
    }
    if (report->with_queries) {
        assay_buffer_printf(out, "\n%s%s\n\n", style->heading, run->name);
        assay_sheet_queries(report, run, &grid);
        put_grid(style, &grid, out);
    }
}

void assay_sheet_body(const assay_report *report, const assay_sheet_style *style,
                      assay_buffer *out)
{
    assay_grid grid;
    size_t before;
    size_t head;

    assay_sheet_totals(report, &grid);
    put_grid(style, &grid, out);
    assay_buffer_char(out, '\n');
    assay_sheet_counts(report, &grid);
    put_grid(style, &grid, out);
    if (assay_sheet_refusals(report, &grid)) {
        assay_buffer_char(out, '\n');
        put_grid(style, &grid, out);
    }
    for (uint32_t r = 0; r < report->n_runs; r++)
        put_run(report, &report->run[r], style, out);
    before = out->len;
    assay_buffer_printf(out, "\n%s", style->notes);
    head = out->len;
    assay_sheet_notes(report, style->line, out);
    /* No heading over nothing. */
    if (out->len == head)
        out->len = before;
}
