/* SPDX-License-Identifier: Apache-2.0 */
#include "report/run_report.h"

#include <math.h>

#include "base/json.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "report/eval_json.h"
#include "report/grid.h"

/* ---- repeats ---- */

/* Mean, standard deviation and ends of one measure over the repeats of one method. */
typedef struct spread {
    uint32_t n;
    double mean;
    double deviation; /* sample; NaN for fewer than two */
    double low;
    double high;
} spread;

static bool is_same_method(const assay_run_sheet *s, uint32_t a, uint32_t b)
{
    return s->line[b].repeat && assay_slice_eq(s->line[a].method, s->line[b].method);
}

static spread spread_of(const assay_run_sheet *s, uint32_t first, uint32_t column)
{
    spread out = {0, 0, (double)NAN, INFINITY, -INFINITY};
    double squares = 0;

    for (uint32_t i = first; i < s->report->n_runs; i++) {
        double v = s->report->run[i].scores->total[column].value;
        double before = out.mean;

        if (!is_same_method(s, first, i) || isnan(v))
            continue;
        out.n++;
        out.mean += (v - out.mean) / out.n;
        squares += (v - before) * (v - out.mean);
        out.low = v < out.low ? v : out.low;
        out.high = v > out.high ? v : out.high;
    }
    if (out.n > 1)
        out.deviation = sqrt(squares / (out.n - 1));
    return out;
}

static void print_spread(const assay_run_sheet *s, uint32_t first, assay_buffer *out)
{
    const assay_scores *scores = s->report->run[first].scores;
    assay_grid grid = {.n_columns = 6};
    static const char *const head[] = {"measure", "repeats", "mean",
                                       "sd",      "least",   "most"};

    for (int i = 0; i < 6; i++) {
        assay_grid_text(&grid, head[i]);
        grid.is_right[i] = i > 0;
    }
    for (uint32_t c = 0; c < scores->n_columns; c++) {
        spread p = spread_of(s, first, c);

        if (!p.n)
            continue;
        assay_grid_text(&grid, scores->column[c].name);
        assay_grid_printf(&grid, "%u", p.n);
        assay_grid_printf(&grid, "%.4f", p.mean);
        if (p.n > 1)
            assay_grid_printf(&grid, "%.4f", p.deviation);
        else
            assay_grid_text(&grid, "n/a");
        assay_grid_printf(&grid, "%.4f", p.low);
        assay_grid_printf(&grid, "%.4f", p.high);
    }
    assay_buffer_printf(out, "\nspread between repeats of %.*s\n\n",
                        ASSAY_QUOTE(s->line[first].method));
    if (grid.has_failed)
        out->has_failed = true;
    assay_grid_print(&grid, out);
    assay_grid_clear(&grid);
}

/* ---- missed queries ---- */

/* It was labelled, and nothing that is relevant stood in the top k. */
static bool has_missed(const assay_run_sheet *s, const assay_row *row)
{
    return row->label == ASSAY_LABEL_LABELLED &&
           (!row->first_rank || row->first_rank > s->k);
}

/* The beginning of a question, as wide as a table can bear. */
static void put_question(assay_slice text, assay_buffer *out)
{
    enum { WIDEST = 44 };
    size_t at = 0;

    while (at < text.len) {
        size_t next = at + assay_utf8_char((assay_slice){text.ptr + at, text.len - at});

        if (assay_display_width((assay_slice){text.ptr, next}) > WIDEST)
            break;
        at = next;
    }
    assay_buffer_slice(out, (assay_slice){text.ptr, at});
    assay_buffer_text(out, at < text.len ? "…" : "");
}

/* Documents say more to people than ids of chunks, unless these are what is expected. */
static void put_retrieved(const assay_run_sheet *s, const assay_report_run *run,
                          const assay_row *row, uint32_t most, assay_buffer *out)
{
    const assay_result *r = row->result == ASSAY_NONE || !run->run->result
                                ? NULL
                                : &run->run->result[row->result];
    uint32_t n = 0;

    if (!r || !r->n_hits || !r->hit[0].doc.len || s->report->level == ASSAY_LEVEL_CHUNK) {
        assay_report_retrieved(run, row, most, out);
        return;
    }
    for (uint32_t i = 0; i < r->n_hits && n < most; i++) {
        if (i && assay_slice_eq(r->hit[i].doc, r->hit[i - 1].doc))
            continue;
        assay_buffer_printf(out, "%s%.*s", n++ ? ", " : "", ASSAY_QUOTE(r->hit[i].doc));
    }
    assay_buffer_text(out, r->n_hits > n ? ", ..." : "");
}

static void add_missed(const assay_run_sheet *s, const assay_report_run *run,
                       const assay_row *row, assay_grid *grid)
{
    enum { IDS = 2 };
    const assay_query *q = &s->report->golden->query[row->query];
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    assay_grid_add(grid, row->id);
    put_question(q->text, &b);
    assay_grid_add(grid, assay_buffer_view(&b));
    b.len = 0;
    assay_report_expected(s->report, row, IDS, &b);
    assay_grid_add(grid, assay_buffer_view(&b));
    b.len = 0;
    put_retrieved(s, run, row, IDS, &b);
    assay_grid_add(grid, assay_buffer_view(&b));
    if (row->is_failed)
        assay_grid_text(grid, "failed");
    else if (row->is_missing)
        assay_grid_text(grid, "missing");
    else if (row->first_rank)
        assay_grid_printf(grid, "rank %u", row->first_rank);
    else
        assay_grid_text(grid, "not found");
    assay_buffer_clear(&b);
}

static void print_missed(const assay_run_sheet *s, uint32_t i, assay_buffer *out)
{
    const assay_report_run *run = &s->report->run[i];
    static const char *const head[] = {"query", "text", "expected", "retrieved", "what"};
    assay_grid grid = {.n_columns = 5};
    uint32_t n = 0;

    for (int h = 0; h < 5; h++)
        assay_grid_text(&grid, head[h]);
    for (uint32_t r = 0; r < run->scores->n_rows; r++) {
        const assay_row *row = &run->scores->row[r];

        if (!has_missed(s, row) && !row->is_failed)
            continue;
        n++;
        if (!s->most || n <= s->most)
            add_missed(s, run, row, &grid);
    }
    if (n) {
        assay_buffer_printf(out, "\n%s: %u %s nothing relevant in the top %u\n\n",
                            run->name, n, n == 1 ? "query has" : "queries have", s->k);
        assay_grid_print(&grid, out);
        if (s->most && n > s->most)
            assay_buffer_printf(out, "and %u more; --verbose names all\n", n - s->most);
    }
    out->has_failed = out->has_failed || grid.has_failed;
    assay_grid_clear(&grid);
}

/* ---- tables ---- */

static void print_ids(const assay_run_sheet *s, assay_buffer *out)
{
    assay_buffer_char(out, '\n');
    for (uint32_t i = 0; i < s->report->n_runs; i++)
        assay_buffer_printf(out, "%.*s  %s\n", ASSAY_QUOTE(s->line[i].run_id),
                            s->report->run[i].name);
    assay_buffer_printf(out, "stored in %s\n", s->store);
}

void assay_run_sheet_table(const assay_run_sheet *sheet, assay_buffer *out)
{
    assay_writer_find("table")->write(sheet->report, out);
    if (sheet->n_skipped)
        assay_buffer_printf(out, "%u %s not in the plan: neither asked nor counted\n",
                            sheet->n_skipped,
                            sheet->n_skipped == 1 ? "query was" : "queries were");
    for (uint32_t i = 0; i < sheet->report->n_runs; i++)
        if (sheet->line[i].repeat == 1)
            print_spread(sheet, i, out);
    for (uint32_t i = 0; i < sheet->report->n_runs; i++)
        print_missed(sheet, i, out);
    print_ids(sheet, out);
}

/* ---- JSON ---- */

static void put_hits(assay_json_writer *w, const assay_run_sheet *s,
                     const assay_result *result)
{
    assay_json_key(w, "retrieved");
    assay_json_list(w);
    for (uint32_t i = 0; i < result->n_hits && i < s->k; i++) {
        const assay_hit *h = &result->hit[i];

        assay_json_flat_object(w);
        assay_json_key(w, "rank");
        assay_json_int(w, i + 1);
        if (h->chunk.len) {
            assay_json_key(w, "chunk_id");
            assay_json_string(w, h->chunk);
        }
        if (h->doc.len) {
            assay_json_key(w, "doc_id");
            assay_json_string(w, h->doc);
        }
        assay_json_key(w, "score");
        assay_json_double(w, h->has_score ? h->score : (double)NAN);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

static void put_answer(assay_json_writer *w, const assay_answer *a)
{
    assay_json_key(w, "answer");
    if (!a) {
        assay_json_null(w);
        return;
    }
    assay_json_flat_object(w);
    assay_json_key(w, "answer");
    assay_json_string(w, a->text);
    assay_json_key(w, "refusal_reason");
    if (a->refusal_reason.len)
        assay_json_string(w, a->refusal_reason);
    else
        assay_json_null(w);
    assay_json_key(w, "citations");
    assay_json_int(w, a->n_citations);
    assay_json_object_end(w);
}

static void put_query(assay_json_writer *w, const assay_run_sheet *s,
                      const assay_report_run *run, uint32_t r)
{
    const assay_row *row = &run->scores->row[r];
    const assay_result *result = row->result == ASSAY_NONE || !run->run->result
                                     ? NULL
                                     : &run->run->result[row->result];

    assay_json_object(w);
    assay_json_row(w, run, r);
    assay_json_key(w, "query");
    assay_json_string(w, s->report->golden->query[row->query].text);
    assay_json_key(w, "error");
    if (result && result->error.len)
        assay_json_string(w, result->error);
    else
        assay_json_null(w);
    if (result) {
        put_hits(w, s, result);
        put_answer(w, result->answer);
    }
    assay_json_object_end(w);
}

static void put_run(assay_json_writer *w, const assay_run_sheet *s, uint32_t i)
{
    const assay_report_run *run = &s->report->run[i];

    assay_json_object(w);
    assay_json_key(w, "run_id");
    assay_json_string(w, s->line[i].run_id);
    assay_json_key(w, "method");
    assay_json_string(w, s->line[i].method);
    assay_json_key(w, "snapshot");
    assay_json_raw(w, s->line[i].snapshot);
    assay_json_run(w, s->report, run);
    assay_json_key(w, "per_query");
    assay_json_list(w);
    for (uint32_t r = 0; r < run->scores->n_rows; r++)
        put_query(w, s, run, r);
    assay_json_list_end(w);
    assay_json_object_end(w);
}

static void put_spread(assay_json_writer *w, const assay_run_sheet *s, uint32_t first)
{
    const assay_scores *scores = s->report->run[first].scores;

    assay_json_object(w);
    assay_json_key(w, "method");
    assay_json_string(w, s->line[first].method);
    assay_json_key(w, "measures");
    assay_json_object(w);
    for (uint32_t c = 0; c < scores->n_columns; c++) {
        spread p = spread_of(s, first, c);

        assay_json_key(w, scores->column[c].name);
        assay_json_flat_object(w);
        assay_json_key(w, "n");
        assay_json_int(w, p.n);
        assay_json_key(w, "mean");
        assay_json_double(w, p.n ? p.mean : (double)NAN);
        assay_json_key(w, "sd");
        assay_json_double(w, p.deviation);
        assay_json_key(w, "least");
        assay_json_double(w, p.low);
        assay_json_key(w, "most");
        assay_json_double(w, p.high);
        assay_json_object_end(w);
    }
    assay_json_object_end(w);
    assay_json_object_end(w);
}

void assay_run_sheet_json(const assay_run_sheet *sheet, assay_buffer *out)
{
    const assay_report *report = sheet->report;
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.run/1");
    assay_json_key(&w, "store");
    assay_json_text(&w, sheet->store);
    assay_json_key(&w, "golden");
    assay_json_text(&w, report->golden->path);
    assay_json_key(&w, "conventions");
    assay_json_text(&w, report->conventions->name);
    assay_json_key(&w, "level");
    assay_json_text(&w, assay_level_word(report->level));
    assay_json_key(&w, "k");
    assay_json_int(&w, sheet->k);
    assay_json_key(&w, "skipped");
    assay_json_int(&w, sheet->n_skipped);
    assay_json_key(&w, "notes");
    assay_json_list(&w);
    for (size_t i = 0; i < report->notes.n; i++)
        assay_json_text(&w, report->notes.text[i]);
    assay_json_list_end(&w);
    assay_json_key(&w, "runs");
    assay_json_list(&w);
    for (uint32_t i = 0; i < report->n_runs; i++)
        put_run(&w, sheet, i);
    assay_json_list_end(&w);
    assay_json_key(&w, "repeats");
    assay_json_list(&w);
    for (uint32_t i = 0; i < report->n_runs; i++)
        if (sheet->line[i].repeat == 1)
            put_spread(&w, sheet, i);
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}
