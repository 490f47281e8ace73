/* SPDX-License-Identifier: Apache-2.0 */
/* assay corpus text: the text of a document, of a place in it, or of a chunk. */
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "cli/corpus_arg.h"
#include "corpus/excerpt.h"

static const assay_option options[] = {
    {0, "raw", ASSAY_OPTION_FLAG, NULL, NULL, "the bytes as they are, and nothing else"},
    ASSAY_OPTIONS_CORPUS,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* On a terminal a document must not be able to move the cursor. */
static void put_tame(assay_slice good, bool is_terminal, assay_buffer *out)
{
    for (size_t i = 0; i < good.len; i++) {
        unsigned char c = (unsigned char)good.ptr[i];

        if (is_terminal && c < 0x20 && c != '\n' && c != '\t')
            assay_buffer_text(out, "\xEF\xBF\xBD");
        else
            assay_buffer_char(out, (char)c);
    }
}

/* Broken UTF-8 is replaced, only to be shown. */
static void print_text(assay_slice text, bool is_terminal, assay_buffer *out)
{
    while (text.len) {
        size_t n = assay_utf8_valid(text);

        put_tame((assay_slice){text.ptr, n}, is_terminal, out);
        text.ptr += n;
        text.len -= n;
        if (!text.len)
            break;
        n = assay_utf8_bad(text);
        assay_buffer_text(out, "\xEF\xBF\xBD");
        text.ptr += n;
        text.len -= n;
    }
    if (out->len && out->ptr[out->len - 1] != '\n')
        assay_buffer_char(out, '\n');
}

static void print_json(const assay_excerpt *e, assay_slice text, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_name(&w, "schema", ASSAY_LIT("assay.corpus-text/1"));
    assay_json_name(&w, "doc_id", e->doc.id);
    assay_json_name(&w, "title", e->doc.title);
    assay_json_name(&w, "form", assay_slice_of(assay_form_name(e->doc.form)));
    assay_json_name(&w, "file", e->doc.source);
    if (e->chunk.len) {
        assay_json_name(&w, "chunk_id", e->chunk);
        assay_json_name(&w, "chunker", e->chunking);
    }
    assay_json_key(&w, "today");
    assay_json_bool(&w, e->is_today);
    assay_json_key(&w, "spans");
    assay_json_flat_list(&w);
    for (uint32_t i = 0; i < e->n_spans; i++) {
        assay_json_flat_list(&w);
        assay_json_int(&w, (int64_t)e->span[i].start);
        assay_json_int(&w, (int64_t)e->span[i].end);
        assay_json_list_end(&w);
    }
    assay_json_list_end(&w);
    assay_json_key(&w, "lines");
    assay_json_flat_list(&w);
    assay_json_int(&w, (int64_t)e->first_line);
    assay_json_int(&w, (int64_t)e->last_line);
    assay_json_list_end(&w);
    assay_json_key(&w, "utf8");
    assay_json_bool(&w, assay_utf8_is(text));
    assay_json_name(&w, "text", text);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static void warn_old(const assay_cli *cli, const assay_excerpt *e)
{
    if (e->is_today)
        return;
    if (e->doc.is_today)
        assay_cli_warn(cli, "an archived chunk, cut by %.*s", ASSAY_QUOTE(e->chunking));
    else
        assay_cli_warn(cli, "an archived chunk, of a text of '%.*s' that is not today's",
                       ASSAY_QUOTE(e->doc.id));
}

static assay_status print(assay_cli *cli, const assay_excerpt *e, assay_slice text,
                          assay_error *err)
{
    bool is_terminal = !assay_cli_text(cli, "output") && isatty(STDOUT_FILENO);
    assay_chunk chunk = {.span = e->span, .n_spans = e->n_spans};
    assay_buffer piece = ASSAY_BUFFER_EMPTY;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    assay_chunk_text(&chunk, text, &piece);
    if (piece.has_failed)
        st = assay_fail_memory(err, "printing a text");
    else if (assay_cli_flag(cli, "raw"))
        st = assay_cli_emit(cli, &piece, err);
    else {
        if (strcmp(assay_cli_format(cli, "table"), "json") == 0)
            print_json(e, assay_buffer_view(&piece), &out);
        else
            print_text(assay_buffer_view(&piece), is_terminal, &out);
        st = assay_cli_emit(cli, &out, err);
    }
    assay_buffer_clear(&out);
    assay_buffer_clear(&piece);
    return st;
}

static assay_status run_text(assay_cli *cli, assay_error *err)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_excerpt excerpt;
    assay_corpus_arg arg;
    assay_status st;

    if (assay_cli_flag(cli, "raw") && strcmp(assay_cli_format(cli, "table"), "json") == 0)
        return assay_fail(err, ASSAY_EUSAGE, "--raw and JSON do not go together");
    st = assay_corpus_arg_open(cli, assay_cli_text(cli, "corpus"), ASSAY_CORPUS_READ,
                               &arg, err);
    if (st)
        return st;
    st = assay_excerpt_find(arg.corpus, assay_slice_of(cli->arg[0]), &cli->arena, &text,
                            &excerpt, err);
    if (!st) {
        warn_old(cli, &excerpt);
        st = print(cli, &excerpt, assay_buffer_view(&text), err);
    }
    assay_buffer_clear(&text);
    assay_corpus_arg_close(&arg);
    return st;
}

const assay_command assay_command_corpus_text = {
    .name = "corpus text",
    .args = "DOC[:PLACE]|CHUNK",
    .summary = "print a document, a place in it, or a chunk",
    .details =
        "A place is 12-345 (bytes, the end not included), C12-345 (characters), L40-52\n"
        "(lines, both included) or #Heading.  Chunks of archived chunkings are found too.\n"
        "Bytes that are not UTF-8 are replaced in what is shown; --raw gives them as they\n"
        "are.",
    .example = "  assay corpus text guide/setup.md:L40-52\n"
               "  assay corpus text guide/setup.md --raw | cmp - docs/guide/setup.md\n"
               "  assay corpus text 7f3a9c0e51d24b6f8a90b1c2d3e4f506 --json",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = run_text,
};
