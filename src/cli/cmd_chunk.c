/* SPDX-License-Identifier: Apache-2.0 */
/* assay chunk: how a file is cut, to look at. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "corpus/chunker.h"
#include "report/chunk_view.h"

static const assay_option options[] = {
    {'c', "chunker", ASSAY_OPTION_TEXT, "SPEC", NULL,
     "name(param=value,...); default md-heading; see 'assay chunker list'"},
    {'v', "text", ASSAY_OPTION_FLAG, NULL, NULL, "the whole text with the cuts marked"},
    {0, "form", ASSAY_OPTION_CHOICE, "FORM", "plain|markdown|code",
     "take the bytes as they are, as text of this form"},
    {0, "id", ASSAY_OPTION_TEXT, "ID", NULL,
     "id of the document, which is part of chunk ids; default: the file's name"},
    ASSAY_OPTIONS_OUTPUT("table|json|jsonl|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* Takes the documents of the file, one after the other. */
typedef struct show {
    const char *format;
    bool is_text;
    assay_chunking chunking;
    assay_buffer out;
    assay_json_writer json;
    uint32_t n;
} show;

static assay_status take(void *ctx, const assay_document *doc, assay_error *err)
{
    show *s = ctx;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_chunks chunks;
    assay_chunk_view view = {doc, &s->chunking, &chunks};
    assay_status st = assay_chunking_cut(&s->chunking, doc, &arena, &chunks, err);

    if (!st && strcmp(s->format, "json") == 0) {
        assay_json_object(&s->json);
        assay_chunk_view_json(&view, &s->json);
        assay_json_object_end(&s->json);
    } else if (!st && strcmp(s->format, "jsonl") == 0) {
        assay_chunk_view_jsonl(&view, &s->out);
    } else if (!st) {
        if (s->n)
            assay_buffer_char(&s->out, '\n');
        if (s->is_text)
            assay_chunk_view_text(&view, &s->out);
        else if (strcmp(s->format, "md") == 0)
            assay_chunk_view_markdown(&view, &s->out);
        else
            assay_chunk_view_table(&view, &s->out);
    }
    s->n++;
    assay_arena_clear(&arena);
    return st;
}

static void begin_json(show *s, const char *path)
{
    assay_json_writer *w = &s->json;
    assay_buffer spelling = ASSAY_BUFFER_EMPTY;

    assay_chunking_print(&s->chunking, &spelling);
    *w = assay_json_writer_of(&s->out, 2);
    assay_json_object(w);
    assay_json_key(w, "schema");
    assay_json_text(w, "assay.chunk/1");
    assay_json_key(w, "file");
    assay_json_text(w, path);
    assay_json_key(w, "chunker");
    assay_json_string(w, assay_buffer_view(&spelling));
    assay_json_key(w, "documents");
    assay_json_list(w);
    assay_buffer_clear(&spelling);
}

static void end_json(show *s)
{
    assay_json_list_end(&s->json);
    assay_json_object_end(&s->json);
    assay_buffer_char(&s->out, '\n');
}

/* ---- the file's documents ---- */

static assay_slice last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return assay_slice_of(slash ? slash + 1 : path);
}

/* The bytes themselves, as --form says; nothing is looked at. */
static assay_status read_as(const char *form, const assay_doc_source *source, show *s,
                            assay_error *err)
{
    assay_document doc = {.id = source->id, .text = source->bytes};

    while (strcmp(assay_form_name(doc.form), form) != 0)
        doc.form++;
    return take(s, &doc, err);
}

static assay_status read_source(const char *form, const assay_doc_source *source, show *s,
                                assay_error *err)
{
    const assay_doc_reader *reader;
    const char *why;

    if (form)
        return read_as(form, source, s, err);
    reader = assay_doc_reader_for(source, &why);
    if (reader)
        return reader->read(source, take, s, err);
    /* Nothing in it is nothing to cut, and no fault. */
    if (strcmp(why, "empty") == 0)
        return read_as("plain", source, s, err);
    return assay_fail(err, ASSAY_EINPUT, "%s: %s; --form takes it as text", source->path,
                      why);
}

static assay_status show_file(assay_cli *cli, show *s, assay_error *err)
{
    const char *id = assay_cli_text(cli, "id");
    bool is_json = strcmp(s->format, "json") == 0;
    assay_notes notes = {0};
    assay_file file;
    assay_doc_source source = {
        .path = cli->arg[0],
        .id = id ? assay_slice_of(id) : last_name(cli->arg[0]),
        .is_named = true,
        .notes = &notes,
        .arena = &cli->arena,
    };
    assay_status st = assay_file_open(&file, source.path, err);

    if (st)
        return st;
    source.bytes = file.text;
    if (is_json)
        begin_json(s, source.path);
    st = read_source(assay_cli_text(cli, "form"), &source, s, err);
    if (is_json)
        end_json(s);
    if (!st) {
        assay_cli_warn_notes(cli, &notes);
        st = assay_cli_emit(cli, &s->out, err);
    }
    assay_notes_clear(&notes);
    assay_file_close(&file);
    return st;
}

static assay_status run_chunk(assay_cli *cli, assay_error *err)
{
    const char *spec = assay_cli_text(cli, "chunker");
    const char *id = assay_cli_text(cli, "id");
    show s = {
        .format = assay_cli_format(cli, "table"),
        .is_text = assay_cli_flag(cli, "text"),
    };
    assay_status st = assay_chunking_read(
        assay_slice_of(spec ? spec : ASSAY_CHUNKING_STANDARD), &s.chunking, err);

    if (!st && id && !id[0])
        st = assay_fail(err, ASSAY_EUSAGE, "--id is empty");
    if (!st)
        st = show_file(cli, &s, err);
    assay_buffer_clear(&s.out);
    return st;
}

const assay_command assay_command_chunk = {
    .name = "chunk",
    .args = "FILE",
    .summary = "show how a file is cut into chunks",
    .details =
        "The file is read as `assay ingest` reads it; one that holds many records "
        "gives many documents. `bytes` is the size of a chunk, `repeated` how much "
        "of it stands in the chunk before too. Broken UTF-8 is replaced for "
        "display only.",
    .example = "assay chunk handbook.md\n"
               "assay chunk handbook.md --chunker 'sentence(target=60)' --text\n"
               "assay chunk - --form markdown --json < handbook.md",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = run_chunk,
};
