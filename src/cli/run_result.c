/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_result.h"

#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "report/bar.h"

/* ---- grades ---- */

static bool is_word(const assay_dict *dict, uint32_t number, assay_slice word)
{
    return number != ASSAY_NONE && word.len && assay_slice_eq(dict->word[number], word);
}

/* As docs/SEMANTICS.md has it: half of the smaller of the two. */
static bool finds(const assay_hit *hit, const assay_judgment *j)
{
    uint64_t a = assay_span_bytes(hit->span, hit->n_spans);
    uint64_t b = assay_span_bytes(j->span, j->n_spans);
    uint64_t common = assay_span_shared(hit->span, hit->n_spans, j->span, j->n_spans);

    return common && 2 * common >= (a < b ? a : b);
}

bool assay_result_grade(const assay_golden *golden, const assay_query *query,
                        const assay_hit *hit, int32_t *grade)
{
    int best = 0; /* how close the judgment is: 3 the chunk, 2 evidence, 1 the document */

    for (uint32_t i = 0; query && i < query->n_judgments; i++) {
        const assay_judgment *j = &query->judgment[i];
        bool is_doc = is_word(&golden->docs, j->doc, hit->doc);
        int close = 0;

        if (is_word(&golden->chunks, j->chunk, hit->chunk))
            close = 3;
        else if (is_doc && j->n_spans && !j->stale && hit->n_spans)
            close = finds(hit, j) ? 2 : 0;
        else if (is_doc && j->chunk == ASSAY_NONE && !j->n_spans)
            close = 1;
        if (!close || close < best || (close == best && j->grade <= *grade))
            continue;
        best = close;
        *grade = j->grade;
    }
    return best > 0;
}

/* ---- for people ---- */

static void put_judgment(const assay_golden *g, const assay_judgment *j,
                         assay_buffer *out)
{
    assay_buffer_printf(out, "  %d  ", j->grade);
    if (j->chunk != ASSAY_NONE) {
        assay_buffer_text(out, "chunk ");
        assay_bar_name(g->chunks.word[j->chunk], 60, out);
    } else if (j->doc != ASSAY_NONE) {
        assay_bar_name(g->docs.word[j->doc], 60, out);
    }
    for (uint32_t i = 0; i < j->n_spans && i < 3; i++)
        assay_buffer_printf(out, " %llu-%llu", (unsigned long long)j->span[i].start,
                            (unsigned long long)j->span[i].end);
    if (j->quote.len) {
        assay_buffer_text(out, " \"");
        assay_bar_name(j->quote, 60, out);
        assay_buffer_char(out, '"');
    }
    if (j->stale)
        assay_buffer_text(out, " (stale)");
    assay_buffer_char(out, '\n');
}

static void put_expected(const assay_golden *g, const assay_query *q, assay_buffer *out)
{
    if (!q)
        return;
    assay_buffer_printf(out, "expected  %s\n", assay_label_name((assay_label)q->label));
    for (uint32_t i = 0; i < q->n_judgments; i++)
        put_judgment(g, &q->judgment[i], out);
}

static void put_hits(const assay_result *r, const assay_golden *golden,
                     const assay_query *query, uint32_t most, assay_buffer *out)
{
    assay_grid grid = {.n_columns = 6};
    uint32_t n = most && most < r->n_hits ? most : r->n_hits;

    assay_buffer_printf(out, "hits      %u", r->n_hits);
    assay_buffer_text(out, n < r->n_hits ? ", the first of them\n" : "\n");
    if (!n)
        return;
    grid.is_right[0] = grid.is_right[3] = grid.is_right[5] = true;
    assay_grid_text(&grid, "rank");
    assay_grid_text(&grid, "chunk");
    assay_grid_text(&grid, "document");
    assay_grid_text(&grid, "score");
    assay_grid_text(&grid, "bytes");
    assay_grid_text(&grid, "grade");
    for (uint32_t i = 0; i < n; i++) {
        const assay_hit *h = &r->hit[i];
        int32_t grade = 0;

        assay_grid_count(&grid, h->rank ? h->rank : i + 1);
        assay_grid_short(&grid, h->chunk, "table");
        assay_grid_short(&grid, h->doc, "table");
        if (h->has_score)
            assay_grid_printf(&grid, "%.6g", h->score);
        else
            assay_grid_text(&grid, "");
        if (h->n_spans)
            assay_grid_printf(&grid, "%llu-%llu%s", (unsigned long long)h->span[0].start,
                              (unsigned long long)h->span[0].end,
                              h->n_spans > 1 ? " ..." : "");
        else
            assay_grid_text(&grid, "");
        if (assay_result_grade(golden, query, h, &grade))
            assay_grid_printf(&grid, "%d", grade);
        else
            assay_grid_text(&grid, "");
    }
    assay_grid_print(&grid, out);
    out->has_failed |= grid.has_failed;
    assay_grid_clear(&grid);
}

static void put_answer(const assay_answer *a, assay_buffer *out)
{
    assay_buffer_text(out, "answer    ");
    assay_bar_name(a->text, SIZE_MAX, out);
    assay_buffer_char(out, '\n');
    if (a->refusal_reason.len) {
        assay_buffer_text(out, "refused   ");
        assay_bar_name(a->refusal_reason, SIZE_MAX, out);
        assay_buffer_char(out, '\n');
    }
    for (uint32_t i = 0; i < a->n_citations; i++) {
        const assay_citation *c = &a->citation[i];
        assay_slice what = c->chunk.len ? c->chunk : c->doc.len ? c->doc : c->path;

        assay_buffer_text(out, "cites     ");
        assay_bar_name(c->marker, 20, out);
        assay_buffer_char(out, ' ');
        assay_bar_name(what, 80, out);
        assay_buffer_char(out, '\n');
    }
}

void assay_result_print(const assay_result *result, const assay_golden *golden,
                        const assay_query *query, uint32_t most, assay_buffer *out)
{
    assay_slice text = result->query.len ? result->query
                       : query           ? query->text
                                         : ASSAY_LIT("");

    assay_buffer_text(out, "query     ");
    assay_bar_name(result->query_id, SIZE_MAX, out);
    if (text.len) {
        assay_buffer_text(out, ": ");
        assay_bar_name(text, SIZE_MAX, out);
    }
    assay_buffer_char(out, '\n');
    if (result->elapsed_ms >= 0)
        assay_buffer_printf(out, "took      %.1f ms\n", result->elapsed_ms);
    if (result->error.len) {
        assay_buffer_text(out, "error     ");
        assay_bar_name(result->error, SIZE_MAX, out);
        assay_buffer_char(out, '\n');
    }
    put_expected(golden, query, out);
    put_hits(result, golden, query, most, out);
    if (result->answer)
        put_answer(result->answer, out);
}

/* ---- for programs ---- */

assay_status assay_result_json(const assay_run *run, uint32_t result, assay_buffer *out,
                               assay_error *err)
{
    const assay_run_format *jsonl;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_notes lost = {0};
    assay_run one = *run;
    assay_status st = assay_run_format_get("jsonl", &jsonl, err);

    /* A run of this one result, made of borrowed parts. */
    one.result = &run->result[result];
    one.n_results = 1;
    one.recorded = NULL;
    if (!st)
        st = jsonl->write(&one, out, &lost, &arena, err);
    assay_notes_clear(&lost);
    assay_arena_clear(&arena);
    return st;
}
