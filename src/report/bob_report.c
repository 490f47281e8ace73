/* SPDX-License-Identifier: Apache-2.0 */
/* What B.O.B. prints and what it saves: three means with their spread, a line a query,
 * the failed queries with what was expected and what came. */
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "base/slice.h"
#include "report/report.h"

/* The three measures of one run; an index is ASSAY_NONE where it was not measured. */
typedef struct trio {
    const assay_scores *scores;
    uint32_t recall;
    uint32_t precision;
    uint32_t mrr;
    uint32_t k;
} trio;

static trio trio_of(const assay_scores *s)
{
    trio t = {s, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, 0};

    for (uint32_t c = 0; c < s->n_columns; c++) {
        assay_slice name = assay_slice_of(s->column[c].name);

        if (t.recall == ASSAY_NONE && assay_slice_starts(name, "recall@")) {
            t.recall = c;
            t.k = s->column[c].k;
        } else if (t.precision == ASSAY_NONE && assay_slice_starts(name, "precision@")) {
            t.precision = c;
        } else if (t.mrr == ASSAY_NONE && assay_slice_starts(name, "mrr")) {
            t.mrr = c;
        }
    }
    return t;
}

static double cell(const trio *t, uint32_t row, uint32_t column)
{
    return column == ASSAY_NONE ? (double)NAN
                                : *assay_scores_cell(t->scores, row, column);
}

static bool expects_something(const assay_report *report, const assay_row *row)
{
    const assay_query *q = &report->golden->query[row->query];

    for (uint32_t i = 0; i < q->n_judgments; i++)
        if (q->judgment[i].grade >= 1)
            return true;
    return false;
}

/* A query that expects something, but nothing at the level that is measured, has neither
 * passed nor failed. */
typedef enum outcome { PASSED, FAILED, UNJUDGED, N_OUTCOMES } outcome;

static outcome outcome_of(const assay_report *report, const trio *t, uint32_t row)
{
    double mrr = cell(t, row, t->mrr);

    if (!expects_something(report, &t->scores->row[row]))
        return PASSED;
    if (isnan(mrr))
        return UNJUDGED;
    return mrr >= report->conventions->pass_mrr ? PASSED : FAILED;
}

static void count_outcomes(const assay_report *report, const trio *t, uint32_t *n)
{
    for (int o = 0; o < N_OUTCOMES; o++)
        n[o] = 0;
    for (uint32_t r = 0; r < t->scores->n_rows; r++)
        n[outcome_of(report, t, r)]++;
}

/* ---- text ---- */

static void put_mean(const trio *t, uint32_t column, const char *label, assay_buffer *out)
{
    if (column == ASSAY_NONE)
        return;
    if (isnan(t->scores->total[column].value)) {
        assay_buffer_printf(out, "%s: n/a\n", label);
        return;
    }
    assay_buffer_printf(
        out, "%s: %.3f ± %.3f\n", label, t->scores->total[column].value,
        isnan(t->scores->total[column].spread) ? 0 : t->scores->total[column].spread);
}

static void put_means(const trio *t, assay_buffer *out)
{
    char label[40];

    snprintf(label, sizeof label, "Recall@%u", t->k);
    put_mean(t, t->recall, label, out);
    snprintf(label, sizeof label, "Precision@%u", t->k);
    put_mean(t, t->precision, label, out);
    put_mean(t, t->mrr, "MRR", out);
}

static void put_value(const char *name, double value, assay_buffer *out)
{
    if (isnan(value))
        assay_buffer_printf(out, "  %s n/a", name);
    else
        assay_buffer_printf(out, "  %s %.3f", name, value);
}

/* ✓ passed with all that was expected, ⚠ passed with a part of it, ✗ failed, - not judged. */
static void put_line(const assay_report *report, const trio *t, uint32_t row,
                     assay_buffer *out)
{
    const assay_row *r = &t->scores->row[row];
    const assay_query *q = &report->golden->query[r->query];
    static const char *const marks[] = {[PASSED] = "✓", [FAILED] = "✗", [UNJUDGED] = "-"};
    double recall = cell(t, row, t->recall);
    outcome o = outcome_of(report, t, row);

    assay_buffer_printf(out, "%s %.*s", o == PASSED && recall < 1 ? "⚠" : marks[o],
                        ASSAY_QUOTE(r->id));
    put_value("recall", recall, out);
    put_value("precision", cell(t, row, t->precision), out);
    put_value("mrr", cell(t, row, t->mrr), out);
    assay_buffer_printf(out, "  %.*s\n", ASSAY_QUOTE(q->text));
}

static void put_failed(const assay_report *report, const assay_report_run *run,
                       const trio *t, assay_buffer *out)
{
    bool has_head = false;

    for (uint32_t r = 0; r < t->scores->n_rows; r++) {
        const assay_row *row = &t->scores->row[r];
        const assay_query *q = &report->golden->query[row->query];

        if (outcome_of(report, t, r) != FAILED)
            continue;
        if (!has_head)
            assay_buffer_printf(out, "\nFailed queries (MRR < %g):\n",
                                report->conventions->pass_mrr);
        has_head = true;
        assay_buffer_printf(out, "  %.*s: %.*s\n    expected:  ", ASSAY_QUOTE(row->id),
                            ASSAY_QUOTE(q->text));
        assay_report_expected(report, row, 10, out);
        assay_buffer_text(out, "\n    retrieved: ");
        assay_report_retrieved(run, row, t->k ? t->k : 10, out);
        if (row->is_missing || row->is_failed)
            assay_buffer_text(out, row->is_missing ? " (missing from the run)"
                                                   : " (the query failed)");
        assay_buffer_char(out, '\n');
    }
}

void assay_report_bob_text(const assay_report *report, assay_buffer *out)
{
    for (uint32_t i = 0; i < report->n_runs; i++) {
        const assay_report_run *run = &report->run[i];
        trio t = trio_of(run->scores);
        uint32_t n[N_OUTCOMES];

        count_outcomes(report, &t, n);
        assay_buffer_printf(out, "%s%s\nQueries: %u\nPassed: %u\nFailed: %u\n",
                            i ? "\n" : "", run->name, run->scores->n_rows, n[PASSED],
                            n[FAILED]);
        if (n[UNJUDGED])
            assay_buffer_printf(out, "Not judged at this level: %u\n", n[UNJUDGED]);
        assay_buffer_char(out, '\n');
        put_means(&t, out);
        assay_buffer_char(out, '\n');
        for (uint32_t r = 0; r < run->scores->n_rows; r++)
            put_line(report, &t, r, out);
        put_failed(report, run, &t, out);
    }
}

/* ---- file ---- */

/* bob's ids are integers: give them back as such. */
static void put_id(assay_json_writer *w, assay_slice id)
{
    int64_t number;
    bool is_plain = id.len && (id.len == 1 || id.ptr[0] != '0') && id.ptr[0] != '+' &&
                    id.ptr[0] != '-';

    if (is_plain && assay_slice_to_i64(id, &number))
        assay_json_int(w, number);
    else
        assay_json_string(w, id);
}

static void put_expected(assay_json_writer *w, const assay_report *report,
                         const assay_row *row)
{
    const assay_golden *g = report->golden;
    const assay_query *q = &g->query[row->query];

    assay_json_key(w, "expected");
    assay_json_flat_list(w);
    for (uint32_t i = 0; i < q->n_judgments; i++) {
        const assay_judgment *j = &q->judgment[i];

        if (j->grade < 1)
            continue;
        if (j->chunk != ASSAY_NONE)
            put_id(w, g->chunks.word[j->chunk]);
        else if (j->doc != ASSAY_NONE)
            put_id(w, g->docs.word[j->doc]);
    }
    assay_json_list_end(w);
}

static void put_retrieved(assay_json_writer *w, const assay_report_run *run,
                          const assay_row *row)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_result result;

    assay_json_key(w, "retrieved");
    assay_json_flat_list(w);
    if (row->result != ASSAY_NONE &&
        !assay_run_result(run->run, row->result, &arena, &result, NULL))
        for (uint32_t i = 0; i < result.n_hits; i++)
            put_id(w, result.hit[i].chunk.len ? result.hit[i].chunk : result.hit[i].doc);
    assay_json_list_end(w);
    assay_arena_clear(&arena);
}

static void put_total(assay_json_writer *w, const trio *t, const char *name,
                      uint32_t column)
{
    char key[40];
    bool has = column != ASSAY_NONE;

    snprintf(key, sizeof key, "%s_mean", name);
    assay_json_key(w, key);
    assay_json_double(w, has ? t->scores->total[column].value : (double)NAN);
    snprintf(key, sizeof key, "%s_std", name);
    assay_json_key(w, key);
    assay_json_double(w, has ? t->scores->total[column].spread : (double)NAN);
}

static void put_query(assay_json_writer *w, const assay_report *report,
                      const assay_report_run *run, const trio *t, uint32_t r)
{
    const assay_row *row = &t->scores->row[r];

    assay_json_object(w);
    assay_json_key(w, "id");
    put_id(w, row->id);
    assay_json_key(w, "question");
    assay_json_string(w, report->golden->query[row->query].text);
    assay_json_key(w, "recall");
    assay_json_double(w, cell(t, r, t->recall));
    assay_json_key(w, "precision");
    assay_json_double(w, cell(t, r, t->precision));
    assay_json_key(w, "mrr");
    assay_json_double(w, cell(t, r, t->mrr));
    assay_json_key(w, "passed");
    if (outcome_of(report, t, r) == UNJUDGED)
        assay_json_null(w);
    else
        assay_json_bool(w, outcome_of(report, t, r) == PASSED);
    put_expected(w, report, row);
    put_retrieved(w, run, row);
    assay_json_object_end(w);
}

static void put_run(assay_json_writer *w, const assay_report *report,
                    const assay_report_run *run)
{
    trio t = trio_of(run->scores);
    uint32_t n[N_OUTCOMES];

    count_outcomes(report, &t, n);
    put_total(w, &t, "recall", t.recall);
    put_total(w, &t, "precision", t.precision);
    put_total(w, &t, "mrr", t.mrr);
    assay_json_key(w, "num_queries");
    assay_json_int(w, run->scores->n_rows);
    assay_json_key(w, "num_passed");
    assay_json_int(w, n[PASSED]);
    assay_json_key(w, "num_failed");
    assay_json_int(w, n[FAILED]);
    assay_json_key(w, "k");
    assay_json_int(w, t.k);
    assay_json_key(w, "golden_path");
    assay_json_text(w, report->golden->path ? report->golden->path : "");
    assay_json_key(w, "timestamp");
    assay_json_text(w, report->timestamp ? report->timestamp : "");
    assay_json_key(w, "per_query");
    assay_json_list(w);
    for (uint32_t r = 0; r < run->scores->n_rows; r++)
        put_query(w, report, run, &t, r);
    assay_json_list_end(w);
}

void assay_report_bob_json(const assay_report *report, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.eval/1");
    if (report->n_runs == 1)
        put_run(&w, report, &report->run[0]);
    for (uint32_t r = 0; report->n_runs > 1 && r < report->n_runs; r++) {
        assay_json_key(&w, report->run[r].name);
        assay_json_object(&w);
        put_run(&w, report, &report->run[r]);
        assay_json_object_end(&w);
    }
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}
