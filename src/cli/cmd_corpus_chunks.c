/* SPDX-License-Identifier: Apache-2.0 */
/* assay corpus chunks: how a document of the corpus is cut today. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "report/bar.h"

enum { PREVIEW_BYTES = 200, PREVIEW_COLUMNS = 40 };

static const assay_option options[] = {
    ASSAY_OPTIONS_CORPUS,
    ASSAY_OPTIONS_OUTPUT("table|json|csv|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    assay_corpus_arg arg;
    assay_corpus_doc doc;
    assay_buffer text;
    assay_chunks chunks;
    assay_buffer out;
} task;

/* The beginning, white space as blanks, as wide as a table can bear. */
static void put_preview(const task *t, const assay_chunk *chunk, assay_grid *grid)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_slice rest;
    size_t end;

    assay_chunk_text(chunk, assay_buffer_view(&t->text), &text);
    text.len = text.len < PREVIEW_BYTES ? text.len : PREVIEW_BYTES;
    for (size_t i = 0; i < text.len; i++)
        if (strchr("\n\r\t\f", text.ptr[i]) && text.ptr[i])
            text.ptr[i] = ' ';
    rest = assay_slice_trim(assay_buffer_view(&text));
    for (end = rest.len;
         end && assay_display_width((assay_slice){rest.ptr, end}) > PREVIEW_COLUMNS;)
        do
            end--;
        while (end && ((unsigned char)rest.ptr[end] & 0xC0) == 0x80);
    rest.len = end;
    if (text.has_failed)
        grid->has_failed = true;
    assay_grid_name(grid, rest);
    assay_buffer_clear(&text);
}

static void put_spans(const assay_chunk *chunk, assay_grid *grid)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    for (uint32_t i = 0; i < chunk->n_spans; i++)
        assay_buffer_printf(&text, "%s%llu-%llu", i ? "," : "",
                            (unsigned long long)chunk->span[i].start,
                            (unsigned long long)chunk->span[i].end);
    if (text.has_failed)
        grid->has_failed = true;
    assay_grid_add(grid, assay_buffer_view(&text));
    assay_buffer_clear(&text);
}

static void put_row(const task *t, const assay_chunk *chunk, assay_grid *grid)
{
    char id[ASSAY_CHUNK_ID_CHARS + 1] = "";
    assay_buffer path = ASSAY_BUFFER_EMPTY;

    assay_chunk_id_print(chunk->id, id);
    assay_heading_path(&t->chunks, chunk->heading, &path);
    assay_grid_text(grid, id);
    put_spans(chunk, grid);
    assay_grid_printf(grid, "%llu-%llu", (unsigned long long)chunk->first_line,
                      (unsigned long long)chunk->last_line);
    assay_grid_name(grid, assay_buffer_view(&path));
    put_preview(t, chunk, grid);
    if (path.has_failed)
        grid->has_failed = true;
    assay_buffer_clear(&path);
}

static void print_grid(task *t, const char *format)
{
    static const char *const head[] = {"chunk", "bytes", "lines", "heading", "text"};
    assay_grid grid = {.n_columns = ASSAY_COUNT(head)};

    for (size_t i = 0; i < ASSAY_COUNT(head); i++)
        assay_grid_text(&grid, head[i]);
    for (uint32_t i = 0; i < t->chunks.n; i++)
        put_row(t, &t->chunks.chunk[i], &grid);
    assay_grid_write(&grid, format, &t->out);
    assay_grid_clear(&grid);
}

static void json_chunk(task *t, const assay_chunk *chunk, assay_json_writer *w)
{
    char id[ASSAY_CHUNK_ID_CHARS + 1] = "";
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    assay_chunk_id_print(chunk->id, id);
    assay_json_object(w);
    assay_json_name(w, "chunk_id", assay_slice_of(id));
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
    assay_heading_path(&t->chunks, chunk->heading, &text);
    assay_json_name(w, "heading", assay_buffer_view(&text));
    text.len = 0;
    assay_chunk_text(chunk, assay_buffer_view(&t->text), &text);
    assay_json_name(w, "text", assay_buffer_view(&text));
    assay_json_object_end(w);
    t->out.has_failed |= text.has_failed;
    assay_buffer_clear(&text);
}

static void print_json(task *t)
{
    assay_json_writer w = assay_json_writer_of(&t->out, 2);

    assay_json_object(&w);
    assay_json_name(&w, "schema", ASSAY_LIT("assay.corpus-chunks/1"));
    assay_json_name(&w, "corpus", assay_slice_of(t->arg.name));
    assay_json_name(&w, "doc_id", t->doc.id);
    assay_json_name(&w, "chunker", assay_corpus_chunking(t->arg.corpus));
    assay_json_key(&w, "chunks");
    assay_json_list(&w);
    for (uint32_t i = 0; i < t->chunks.n; i++)
        json_chunk(t, &t->chunks.chunk[i], &w);
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(&t->out, '\n');
}

static assay_status load(task *t, assay_error *err)
{
    assay_arena *arena = &t->cli->arena;
    assay_slice id = assay_slice_of(t->cli->arg[0]);
    bool is_there = false;
    assay_status st =
        assay_corpus_find(t->arg.corpus, id, arena, &t->doc, &is_there, err);

    if (!st && !is_there)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "no document '%.*s' in the corpus; see 'assay corpus show'",
                        ASSAY_QUOTE(id));
    if (!st)
        st = assay_corpus_text(t->arg.corpus, t->doc.version, &t->text, err);
    if (!st)
        st = assay_corpus_chunks(t->arg.corpus, t->doc.version,
                                 assay_buffer_view(&t->text), arena, &t->chunks, err);
    return st;
}

static assay_status run_chunks(assay_cli *cli, assay_error *err)
{
    const char *format = assay_cli_format(cli, "table");
    task t = {.cli = cli};
    assay_status st = assay_corpus_arg_open(cli, assay_cli_text(cli, "corpus"),
                                            ASSAY_CORPUS_READ, &t.arg, err);

    if (st)
        return st;
    st = load(&t, err);
    if (!st) {
        if (strcmp(format, "json") == 0)
            print_json(&t);
        else
            print_grid(&t, format);
        st = assay_cli_emit(cli, &t.out, err);
    }
    assay_buffer_clear(&t.out);
    assay_buffer_clear(&t.text);
    assay_corpus_arg_close(&t.arg);
    return st;
}

const assay_command assay_command_corpus_chunks = {
    .name = "corpus chunks",
    .args = "DOC",
    .summary = "the chunks of a document as the corpus has them",
    .details =
        "Their ids, bytes, lines, headings, and how they begin; JSON has the whole text.",
    .example = "  assay corpus chunks guide/setup.md",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = run_chunks,
};
