/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks for people and programs.  Broken UTF-8 and control bytes are replaced here, for
 * display only; spans and ids are those of the bytes. */
#include "report/chunk_view.h"

#include "base/scan.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "report/grid.h"

enum { ID_SHOWN = 12, WORDS_SHOWN = 48 };

/* ---- text that a terminal can show ---- */

/* One character at `at`, as it is or as U+FFFD; returns its length. */
static size_t put_char(assay_buffer *out, assay_slice text, size_t at)
{
    size_t n;
    uint32_t c = assay_utf8_get((assay_slice){text.ptr + at, text.len - at}, &n);

    if (c == 0xFFFD || c < 0x20 || (c >= 0x7F && c < 0xA0))
        assay_buffer_text(out, "\xEF\xBF\xBD");
    else
        assay_buffer_add(out, text.ptr + at, n);
    return n;
}

/* In one line, at most `most` characters of it. */
static void put_line(assay_buffer *out, assay_slice text, size_t most)
{
    size_t at = 0;

    for (size_t n = 0; at < text.len; n++) {
        if (n == most) {
            assay_buffer_text(out, "\xE2\x80\xA6"); /* … */
            return;
        }
        if (!assay_scan_is_space(text.ptr[at])) {
            at += put_char(out, text, at);
            continue;
        }
        while (at < text.len && assay_scan_is_space(text.ptr[at]))
            at++;
        if (n && at < text.len)
            assay_buffer_char(out, ' ');
    }
}

static void put_lines(assay_buffer *out, assay_slice text)
{
    for (size_t at = 0; at < text.len;) {
        if (text.ptr[at] == '\n' || text.ptr[at] == '\t')
            assay_buffer_char(out, text.ptr[at++]);
        else if (text.ptr[at] == '\r')
            at++;
        else
            at += put_char(out, text, at);
    }
    assay_buffer_char(out, '\n');
}

/* ---- pieces ---- */

static uint64_t bytes_of(const assay_chunk *chunk)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < chunk->n_spans; i++)
        n += chunk->span[i].end - chunk->span[i].start;
    return n;
}

static assay_slice first_span(const assay_chunk_view *view, const assay_chunk *chunk)
{
    return (assay_slice){view->doc->text.ptr + chunk->span[0].start,
                         chunk->span[0].end - chunk->span[0].start};
}

/* Bytes that the chunk shares with the one before it. */
static uint64_t repeated(const assay_chunk_view *view, uint32_t i)
{
    const assay_chunk *chunk = &view->chunks->chunk[i];

    if (i == 0)
        return 0;
    return assay_span_shared(chunk[-1].span, chunk[-1].n_spans, chunk->span,
                             chunk->n_spans);
}

static void put_path(const assay_chunk_view *view, const assay_chunk *chunk,
                     assay_buffer *out)
{
    assay_buffer path = ASSAY_BUFFER_EMPTY;

    assay_heading_path(view->chunks, chunk->heading, &path);
    put_line(out, assay_buffer_view(&path), SIZE_MAX);
    out->has_failed = out->has_failed || path.has_failed;
    assay_buffer_clear(&path);
}

static void put_id(const assay_chunk *chunk, size_t n, assay_buffer *out)
{
    char id[ASSAY_CHUNK_ID_CHARS];

    assay_chunk_id_print(chunk->id, id);
    assay_buffer_add(out, id, n);
}

/* "refunds.md: markdown, 812 bytes, 3 chunks by md-heading@1(...)" */
static void put_head(const assay_chunk_view *view, assay_buffer *out)
{
    put_line(out, view->doc->id, SIZE_MAX);
    assay_buffer_printf(out, ": %s, %zu bytes, %u chunk%s by ",
                        assay_form_name(view->doc->form), view->doc->text.len,
                        view->chunks->n, view->chunks->n == 1 ? "" : "s");
    assay_chunking_print(view->chunking, out);
    assay_buffer_char(out, '\n');
}

/* ---- table ---- */

static void add_cell(assay_grid *grid, assay_buffer *cell, assay_buffer *out)
{
    assay_grid_add(grid, assay_buffer_view(cell));
    out->has_failed = out->has_failed || cell->has_failed;
    cell->len = 0;
}

static void fill_grid(const assay_chunk_view *view, assay_grid *grid, assay_buffer *out)
{
    static const char *const head[] = {"#",        "id",      "lines", "bytes",
                                       "repeated", "heading", "text"};
    assay_buffer cell = ASSAY_BUFFER_EMPTY;

    *grid = (assay_grid){.n_columns = 7};
    grid->is_right[0] = grid->is_right[3] = grid->is_right[4] = true;
    for (size_t i = 0; i < 7; i++)
        assay_grid_text(grid, head[i]);
    for (uint32_t i = 0; i < view->chunks->n; i++) {
        const assay_chunk *chunk = &view->chunks->chunk[i];

        assay_grid_printf(grid, "%u", i + 1);
        put_id(chunk, ID_SHOWN, &cell);
        add_cell(grid, &cell, out);
        assay_grid_printf(grid, "%llu-%llu", (unsigned long long)chunk->first_line,
                          (unsigned long long)chunk->last_line);
        assay_grid_printf(grid, "%llu", (unsigned long long)bytes_of(chunk));
        assay_grid_printf(grid, "%llu", (unsigned long long)repeated(view, i));
        put_path(view, chunk, &cell);
        add_cell(grid, &cell, out);
        put_line(&cell, first_span(view, chunk), WORDS_SHOWN);
        add_cell(grid, &cell, out);
    }
    assay_buffer_clear(&cell);
    out->has_failed = out->has_failed || grid->has_failed;
}

void assay_chunk_view_table(const assay_chunk_view *view, assay_buffer *out)
{
    assay_grid grid;

    put_head(view, out);
    if (view->chunks->n == 0)
        return;
    fill_grid(view, &grid, out);
    assay_grid_print(&grid, out);
    assay_grid_clear(&grid);
}

void assay_chunk_view_markdown(const assay_chunk_view *view, assay_buffer *out)
{
    assay_grid grid;

    put_head(view, out);
    assay_buffer_char(out, '\n');
    fill_grid(view, &grid, out);
    assay_grid_markdown(&grid, out);
    assay_grid_clear(&grid);
}

/* ---- text ---- */

void assay_chunk_view_text(const assay_chunk_view *view, assay_buffer *out)
{
    put_head(view, out);
    for (uint32_t i = 0; i < view->chunks->n; i++) {
        const assay_chunk *chunk = &view->chunks->chunk[i];
        uint64_t again = repeated(view, i);

        assay_buffer_printf(out, "\n---- %u  ", i + 1);
        put_id(chunk, ID_SHOWN, out);
        assay_buffer_printf(out, "  lines %llu-%llu, bytes %llu-%llu",
                            (unsigned long long)chunk->first_line,
                            (unsigned long long)chunk->last_line,
                            (unsigned long long)chunk->span[0].start,
                            (unsigned long long)chunk->span[chunk->n_spans - 1].end);
        if (again)
            assay_buffer_printf(out, ", the first %llu repeated",
                                (unsigned long long)again);
        if (chunk->heading != ASSAY_NONE) {
            assay_buffer_text(out, "  ");
            put_path(view, chunk, out);
        }
        assay_buffer_text(out, " ----\n");
        for (uint32_t k = 0; k < chunk->n_spans; k++)
            put_lines(out, (assay_slice){view->doc->text.ptr + chunk->span[k].start,
                                         chunk->span[k].end - chunk->span[k].start});
    }
}

/* ---- JSON ---- */

static void json_headings(const assay_chunks *chunks, uint32_t number,
                          assay_json_writer *w)
{
    uint32_t path[6];
    size_t n = 0;

    for (; number != ASSAY_NONE; number = chunks->heading[number].parent)
        path[n++] = number;
    assay_json_key(w, "headings");
    assay_json_flat_list(w);
    while (n)
        assay_json_string(w, chunks->heading[path[--n]].text);
    assay_json_list_end(w);
}

static void json_places(const assay_chunk *chunk, assay_json_writer *w)
{
    assay_json_key(w, "spans");
    assay_json_flat_list(w);
    for (uint32_t i = 0; i < chunk->n_spans; i++) {
        assay_json_flat_list(w);
        assay_json_int(w, (int64_t)chunk->span[i].start);
        assay_json_int(w, (int64_t)chunk->span[i].end);
        assay_json_list_end(w);
    }
    assay_json_list_end(w);
    assay_json_key(w, "lines");
    assay_json_flat_list(w);
    assay_json_int(w, (int64_t)chunk->first_line);
    assay_json_int(w, (int64_t)chunk->last_line);
    assay_json_list_end(w);
}

static void json_chunk(const assay_chunk_view *view, uint32_t i, assay_json_writer *w)
{
    const assay_chunk *chunk = &view->chunks->chunk[i];
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    char id[ASSAY_CHUNK_ID_CHARS];

    assay_chunk_id_print(chunk->id, id);
    assay_json_key(w, "number");
    assay_json_int(w, i + 1);
    assay_json_key(w, "chunk_id");
    assay_json_string(w, (assay_slice){id, sizeof id});
    assay_json_key(w, "doc_id");
    assay_json_string(w, view->doc->id);
    json_places(chunk, w);
    json_headings(view->chunks, chunk->heading, w);
    assay_chunk_text(chunk, view->doc->text, &text);
    assay_json_key(w, "text");
    assay_json_string(w, assay_buffer_view(&text));
    if (text.has_failed)
        w->out->has_failed = true;
    assay_buffer_clear(&text);
}

void assay_chunk_view_json(const assay_chunk_view *view, assay_json_writer *w)
{
    assay_json_key(w, "doc_id");
    assay_json_string(w, view->doc->id);
    assay_json_key(w, "title");
    assay_json_string(w, view->doc->title);
    assay_json_key(w, "form");
    assay_json_text(w, assay_form_name(view->doc->form));
    assay_json_key(w, "bytes");
    assay_json_int(w, (int64_t)view->doc->text.len);
    assay_json_key(w, "chunks");
    assay_json_list(w);
    for (uint32_t i = 0; i < view->chunks->n; i++) {
        assay_json_object(w);
        json_chunk(view, i, w);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

void assay_chunk_view_jsonl(const assay_chunk_view *view, assay_buffer *out)
{
    for (uint32_t i = 0; i < view->chunks->n; i++) {
        assay_json_writer w = assay_json_writer_of(out, 0);

        assay_json_object(&w);
        json_chunk(view, i, &w);
        assay_json_object_end(&w);
        assay_buffer_char(out, '\n');
    }
}
