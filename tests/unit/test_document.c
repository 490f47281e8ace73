/* SPDX-License-Identifier: Apache-2.0 */
/* Which reader takes which file, and what the readers of whole files make of it. */
#include "corpus/markup.h"
#include "testing.h"

#include "base/buffer.h"
#include "base/slice.h"
#include "corpus/doc_name.h"
#include "corpus/document.h"

/* The last document that was emitted, with copies of its short fields. */
typedef struct got {
    uint32_t n;
    char title[200];
    char lang[50];
    assay_form form;
    assay_slice text;
    assay_slice id;
} got;

static assay_status keep(void *ctx, const assay_document *doc, assay_error *err)
{
    got *g = ctx;

    (void)err;
    g->n++;
    snprintf(g->title, sizeof g->title, "%.*s", (int)doc->title.len, doc->title.ptr);
    snprintf(g->lang, sizeof g->lang, "%.*s", (int)doc->lang.len, doc->lang.ptr);
    g->form = doc->form;
    g->text = doc->text;
    g->id = doc->id;
    return ASSAY_OK;
}

static assay_doc_source source_of(const char *path, assay_slice bytes)
{
    return (assay_doc_source){.path = path,
                              .id = assay_slice_of(path),
                              .bytes = bytes,
                              .pdftotext = "/no/such"};
}

/* The name of the reader, or why there is none. */
static const char *taken(const char *path, assay_slice bytes, bool is_named)
{
    assay_doc_source source = source_of(path, bytes);
    const assay_doc_reader *reader;
    const char *why;

    source.is_named = is_named;
    reader = assay_doc_reader_for(&source, &why);
    return reader ? reader->name : why;
}

static const char *taken_text(const char *path, const char *text)
{
    return taken(path, assay_slice_of(text), false);
}

static void read_whole(const char *path, assay_slice bytes, got *g)
{
    assay_doc_source source = source_of(path, bytes);
    const assay_doc_reader *reader;
    const char *why;
    assay_error err;

    memset(g, 0, sizeof *g);
    reader = assay_doc_reader_for(&source, &why);
    CHECK(reader != NULL);
    if (reader->read(&source, keep, g, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    CHECK_INT(g->n, 1);
}

static const char *title_of(const char *text)
{
    static got g;

    read_whole("x.md", assay_slice_of(text), &g);
    return g.title;
}

static const char *language_of(const char *path, const char *text)
{
    static got g;

    read_whole(path, assay_slice_of(text), &g);
    return g.lang;
}

TEST(files_without_text_have_no_reader_and_a_reason)
{
    CHECK_STR(taken_text("a.txt", ""), "empty");
    CHECK_STR(taken_text("a.txt", "\xef\xbb\xbf"), "empty");
    CHECK_STR(taken("a.txt", ASSAY_LIT("ab\0cd"), false), "binary");
    CHECK_STR(taken("a.md", ASSAY_LIT("ab\0cd"), true), "binary");
    CHECK_STR(taken_text("a.txt", "\x01\x02 text"), "binary");
    CHECK_STR(taken_text("a", "7z\xbc\xaf\x27\x1c rest of it"), "binary");
    CHECK_STR(taken_text("a.txt", "\xff\xfet"), "UTF-16");
    CHECK_STR(taken_text("a.txt", "\x1b[1mcolours\x1b[0m of a terminal\b\f"), "text");
    CHECK_STR(taken_text("a.txt", "\xff\xc0 broken UTF-8"), "text");
}

TEST(a_zero_byte_behind_the_first_64_kB_is_text)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    for (int i = 0; i < 70000; i++)
        assay_buffer_char(&b, i == 69000 ? '\0' : 'x');
    CHECK_STR(taken("a.txt", assay_buffer_view(&b), false), "text");
    assay_buffer_clear(&b);
}

TEST(readers_are_chosen_by_ending_name_and_content)
{
    CHECK_STR(taken_text("d/a.MD", "x"), "markdown");
    CHECK_STR(taken_text("d/a.md.gz", "x"), "markdown");
    CHECK_STR(taken_text("d.md/a", "x"), "text");
    CHECK_STR(taken_text("a.unknown", "x"), "text");
    CHECK_STR(taken_text(".md", "x"), "text");
    CHECK_STR(taken_text("CMakeLists.txt", "x"), "code");
    CHECK_STR(taken_text("a.json", "[1, 2]"), "code");
    CHECK_STR(taken_text("a.json", "{\"broken"), "code");
    CHECK_STR(taken_text("a.json", "[{\"id\": 1, \"text\": \"x\"}]"), "records");
    CHECK_STR(taken_text("a.txt", "[{\"id\": 1, \"text\": \"x\"}]"), "text");
    CHECK_STR(taken_text("a.json", "[{\"text\": \"x\"}]"), "code");
    CHECK_STR(taken("a.json", ASSAY_LIT("[{\"text\": \"x\"}]"), true), "records");
    CHECK_STR(taken_text("a.json", "{\"documents\": [{\"text\": \"x\"}]}"), "records");
    CHECK_STR(taken_text("a.json", "{\"documents\": [], \"test_cases\": []}"),
              "evalvault");
    CHECK_STR(taken_text("a.json", "{\"messages\": [{\"content\": \"x\"}]}"), "code");
    CHECK_STR(taken_text("a.json", "{\"id\": \"x\",\n\"text\": \"one\"}"), "records");
    CHECK_STR(taken_text("a.json", "{\"title\": \"x\",\n\"text\": \"settings?\"}"),
              "code");
}

TEST(a_record_longer_than_the_head_is_still_one)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    assay_buffer_text(&b, "{\"id\": \"a\", \"text\": \"");
    for (int i = 0; i < 70000; i++)
        assay_buffer_char(&b, 'x');
    assay_buffer_text(&b, "\"}\n");
    CHECK_STR(taken("a.jsonl", assay_buffer_view(&b), false), "records");
    assay_buffer_clear(&b);
}

TEST(queries_and_judgments_of_a_beir_folder_are_no_documents)
{
    static const char record[] = "{\"_id\": \"q\", \"text\": \"x\"}\n";

    CHECK_STR(taken_text("s/corpus.jsonl", record), "records");
    CHECK_STR(taken_text("s/corpus.jsonl", "broken"), "records");
    CHECK_STR(taken_text("s/queries.jsonl", record), "queries, no documents");
    CHECK_STR(taken_text("s/queries.jsonl.gz", record), "queries, no documents");
    CHECK_STR(taken("s/queries.jsonl", assay_slice_of(record), true), "records");
    CHECK_STR(taken_text("s/qrels/test.tsv", "q\td\t1\n"), "judgments, no documents");
    CHECK_STR(taken_text("s/table.tsv", "q\td\t1\n"), "text");
}

TEST(languages_are_known_by_ending_name_and_first_line)
{
    CHECK_STR(language_of("a.py", "x"), "python");
    CHECK_STR(language_of("a.H", "x"), "c");
    CHECK_STR(language_of("Makefile", "x"), "make");
    CHECK_STR(language_of("d/Dockerfile", "x"), "dockerfile");
    CHECK_STR(language_of("Dockerfile.release", "x"), "dockerfile");
    CHECK_STR(language_of("go.mod", "x"), "go");
    CHECK_STR(language_of("run", "#!/bin/sh\nx"), "shell");
    CHECK_STR(language_of("run", "#! /usr/bin/perl -w\nx"), "perl");
    CHECK_STR(language_of("run", "#!/usr/bin/env LANG=C python3.11\r\nx"), "python");
    CHECK_STR(language_of("run", "#!/usr/bin/env\nx"), "");
    CHECK_STR(language_of("run", "#!"), "");
    CHECK_STR(language_of("run", "#!unknown"), "");
    CHECK_STR(language_of("a.yml", "x"), "yaml");
}

TEST(the_title_of_markdown_is_its_front_matter_or_first_heading)
{
    CHECK_STR(title_of("# One\n# Two\n"), "One");
    CHECK_STR(title_of("text\n\n#\tOne #\n"), "One");
    CHECK_STR(title_of("## Two\n# One#\n"), "One#");
    CHECK_STR(title_of("One\n===\n"), "One");
    CHECK_STR(title_of("One\n===x\n"), "");
    CHECK_STR(title_of("\n===\n"), "");
    CHECK_STR(title_of("~~~\n# No\n```\n# No\n~~~\n# Yes\n"), "Yes");
    CHECK_STR(title_of("    # code\n"), "");
    CHECK_STR(title_of("#One\n"), "");
    CHECK_STR(title_of("---\ntitle: 'T'\n---\n# One\n"), "T");
    CHECK_STR(title_of("---\r\ntitle: T x\r\n...\r\n# One\r\n"), "T x");
    CHECK_STR(title_of("---\nauthor: A\n---\n# One\n"), "One");
    CHECK_STR(title_of("---\ntitle: no end\n\n# One\n"), "One");
    CHECK_STR(title_of("no heading"), "");
}

TEST(whole_files_are_handed_on_without_a_copy_and_behind_the_mark)
{
    const assay_slice bytes = ASSAY_LIT("\xef\xbb\xbf# A\r\n\xff\n");
    got g;

    read_whole("d/x.md", bytes, &g);
    CHECK(g.text.ptr == bytes.ptr + 3);
    CHECK_INT(g.text.len, bytes.len - 3);
    CHECK(assay_slice_is(g.id, "d/x.md"));
    CHECK_STR(g.title, "A");
    CHECK_INT(g.form, ASSAY_FORM_MARKDOWN);
    CHECK_STR(assay_form_name(ASSAY_FORM_CODE), "code");
}

TEST(a_pdf_without_pdftotext_says_what_to_install)
{
    const assay_doc_source source = source_of("d/x.pdf", ASSAY_LIT("%PDF-1.4\n\0"));
    const assay_doc_reader *pdf = assay_doc_reader_find(ASSAY_LIT("pdf"));
    const char *why;
    assay_error err;
    got g = {0};

    CHECK(assay_doc_reader_for(&source, &why) == pdf);
    CHECK(pdf->read(&source, keep, &g, &err) == ASSAY_ESYSTEM);
    CHECK_STR(err.text, "'d/x.pdf' needs pdftotext; install it with 'apt-get install "
                        "poppler-utils'");
    CHECK_INT(g.n, 0);
}

TEST(a_pdftotext_that_crashes_is_one_failed_file)
{
    assay_doc_source source = source_of("x.pdf", ASSAY_LIT("%PDF-1.4\n"));
    const assay_doc_reader *pdf = assay_doc_reader_find(ASSAY_LIT("pdf"));
    assay_error err;
    got g = {0};

    write_file("crash", "#!/bin/sh\n[ \"$1\" = -v ] || kill -SEGV $$\n");
    CHECK(system("chmod +x crash") == 0);
    source.pdftotext = "./crash";
    CHECK(pdf->read(&source, keep, &g, &err) == ASSAY_EINPUT);
    CHECK_STR(err.text, "x.pdf: pdftotext was ended by signal 11");
    write_file("crash", "#!/bin/sh\n[ \"$1\" = -v ] || exit 1\n");
    CHECK(pdf->read(&source, keep, &g, &err) == ASSAY_EINPUT);
    CHECK_STR(err.text, "x.pdf: pdftotext: failed without a word");
}

/* A file that may not be executed is not there. */
TEST(a_pdftotext_that_cannot_be_run_is_not_installed)
{
    assay_doc_source source = source_of("x.pdf", ASSAY_LIT("%PDF-1.4\n"));
    assay_error err;
    got g = {0};

    write_file("plain", "x");
    source.pdftotext = "./plain";
    CHECK(assay_doc_reader_find(ASSAY_LIT("pdf"))->read(&source, keep, &g, &err) ==
          ASSAY_ESYSTEM);
}

TEST(a_tag_inside_a_tag_is_none)
{
    assay_slice inside = {"", 0};

    CHECK(assay_markup_find(ASSAY_LIT("<DOC </DOC >one</DOC>"), "DOC", &inside, NULL));
    CHECK(assay_slice_is(inside, "one"));
    CHECK(!assay_markup_find(ASSAY_LIT("<DOC </DOC </DOCNO>"), "DOC", &inside, NULL));
}
