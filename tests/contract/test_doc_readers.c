/* SPDX-License-Identifier: Apache-2.0 */
/* What every reader of documents must do, by its fixtures in tests/fixtures/corpus/<name>/:
 * recognise its good files, give the documents written beside them (.want), and refuse the
 * bad ones with the message beside them (.err).  With ASSAY_ACCEPT=1 in the environment the
 * .want files are written; read the diff afterwards. */
#include "testing.h"

#include <dirent.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/document.h"

enum { MOST_FILES = 100, PATH = 1200 };

typedef struct listing {
    char name[MOST_FILES][100];
    size_t n;
} listing;

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool ends(const char *name, const char *ending)
{
    return assay_slice_ends(assay_slice_of(name), ending);
}

static const char *folder_of(const assay_doc_reader *reader)
{
    char name[100];

    snprintf(name, sizeof name, "corpus/%s", reader->name);
    return fixture(name);
}

static void list(const assay_doc_reader *reader, const char *prefix, listing *out)
{
    DIR *dir = opendir(folder_of(reader));
    struct dirent *e;

    out->n = 0;
    if (!dir)
        check_failed(__FILE__, __LINE__, "no fixtures in '%s'", folder_of(reader));
    while ((e = readdir(dir)) != NULL) {
        if (strncmp(e->d_name, prefix, strlen(prefix)) != 0 || ends(e->d_name, ".want") ||
            ends(e->d_name, ".err"))
            continue;
        CHECK(out->n < MOST_FILES);
        snprintf(out->name[out->n++], sizeof out->name[0], "%.99s", e->d_name);
    }
    closedir(dir);
    qsort(out->name, out->n, sizeof out->name[0], by_name);
}

/* ---- reading ---- */

/* A fixture that is open, and what was read of it, as text. */
typedef struct reading {
    char path[PATH];
    assay_file file;
    assay_doc_source source;
    assay_notes notes;
    assay_arena arena;
    assay_buffer text;
    bool is_whole; /* every document is the file's own bytes */
    uint32_t n;
    uint32_t stop_at;
} reading;

static void put_line(assay_buffer *out, const char *name, assay_slice value)
{
    if (!value.len)
        return;
    assay_buffer_printf(out, "%s: ", name);
    assay_buffer_slice(out, value);
    assay_buffer_char(out, '\n');
}

/* One document: its fields, then its text with a bar before each line. */
static assay_status put_document(void *ctx, const assay_document *doc, assay_error *err)
{
    reading *r = ctx;
    assay_slice extractor = doc->extractor;

    if (++r->n == r->stop_at)
        return assay_fail(err, ASSAY_NO, "enough");
    /* The version of a program is the machine's. */
    if (assay_slice_starts(extractor, "pdftotext "))
        extractor.len = strlen("pdftotext");
    r->is_whole =
        r->is_whole && !doc->line && !extractor.len &&
        doc->text.ptr >= r->source.bytes.ptr &&
        doc->text.ptr + doc->text.len == r->source.bytes.ptr + r->source.bytes.len;
    put_line(&r->text, "id", doc->id);
    put_line(&r->text, "title", doc->title);
    put_line(&r->text, "form", assay_slice_of(assay_form_name(doc->form)));
    put_line(&r->text, "lang", doc->lang);
    put_line(&r->text, "extractor", extractor);
    if (doc->line)
        assay_buffer_printf(&r->text, "line: %u\n", doc->line);
    for (size_t i = 0; i < doc->text.len; i++) {
        if (i == 0 || doc->text.ptr[i - 1] == '\n')
            assay_buffer_char(&r->text, '|');
        assay_buffer_char(&r->text, doc->text.ptr[i]);
    }
    assay_buffer_text(&r->text, "\n");
    return ASSAY_OK;
}

static void open_fixture(reading *r, const assay_doc_reader *reader, const char *name)
{
    assay_error err;

    memset(r, 0, sizeof *r);
    snprintf(r->path, sizeof r->path, "%s/%s", folder_of(reader), name);
    if (assay_file_open(&r->file, r->path, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    r->source = (assay_doc_source){.path = r->path,
                                   .id = assay_slice_of(strrchr(r->path, '/') + 1),
                                   .bytes = r->file.text,
                                   .notes = &r->notes,
                                   .arena = &r->arena};
    r->is_whole = true;
}

static void close_fixture(reading *r)
{
    assay_buffer_clear(&r->text);
    assay_notes_clear(&r->notes);
    assay_arena_clear(&r->arena);
    assay_file_close(&r->file);
}

/* `text` without the path of the fixtures. */
static void shorten(const assay_doc_reader *reader, char *text)
{
    char prefix[PATH];
    char *at;

    snprintf(prefix, sizeof prefix, "%s/", folder_of(reader));
    while ((at = strstr(text, prefix)) != NULL)
        memmove(at, at + strlen(prefix), strlen(at + strlen(prefix)) + 1);
}

/* The file beside a fixture, which must be there. */
static char *read_beside(const reading *r, const char *ending)
{
    static char text[20000];
    char path[PATH + 8];
    FILE *file;
    size_t n;

    snprintf(path, sizeof path, "%s%s", r->path, ending);
    file = fopen(path, "rb");
    if (!file)
        check_failed(__FILE__, __LINE__, "no '%s'", path);
    n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    return text;
}

static void accept(const reading *r)
{
    char path[PATH + 8];

    if (!getenv("ASSAY_ACCEPT"))
        return;
    snprintf(path, sizeof path, "%s.want", r->path);
    write_file(path, r->text.ptr);
}

/* PDF needs a program that may not be there. */
static bool can_run(const assay_doc_reader *reader)
{
    return strcmp(reader->name, "pdf") != 0 ||
           system("command -v pdftotext >/dev/null 2>&1") == 0;
}

/* ---- tests ---- */

TEST(every_reader_says_what_it_is)
{
    const assay_doc_reader *r;

    for (size_t i = 0; (r = assay_doc_reader_at(i)) != NULL; i++) {
        CHECK(r->name && r->summary && r->sniff && r->read);
        CHECK(assay_doc_reader_find(assay_slice_of(r->name)) == r);
    }
    CHECK(assay_doc_reader_find(ASSAY_LIT("no such reader")) == NULL);
}

TEST(every_good_file_is_taken_by_its_own_reader)
{
    const assay_doc_reader *reader;
    static listing files;

    for (size_t i = 0; (reader = assay_doc_reader_at(i)) != NULL; i++) {
        list(reader, "good", &files);
        if (!files.n)
            check_failed(__FILE__, __LINE__, "'%s' has no good fixture", reader->name);
        for (size_t k = 0; k < files.n; k++) {
            reading r;
            const char *why;
            const assay_doc_reader *by;

            open_fixture(&r, reader, files.name[k]);
            by = assay_doc_reader_for(&r.source, &why);
            if (by != reader)
                check_failed(__FILE__, __LINE__, "%s/%s was taken for %s", reader->name,
                             files.name[k], by ? by->name : why);
            close_fixture(&r);
        }
    }
}

TEST(every_good_file_gives_the_documents_beside_it)
{
    const assay_doc_reader *reader;
    static listing files;

    for (size_t i = 0; (reader = assay_doc_reader_at(i)) != NULL; i++) {
        list(reader, "good", &files);
        for (size_t k = 0; can_run(reader) && k < files.n; k++) {
            reading r;
            assay_error err;

            open_fixture(&r, reader, files.name[k]);
            if (reader->read(&r.source, put_document, &r, &err))
                check_failed(__FILE__, __LINE__, "%s", err.text);
            for (size_t n = 0; n < r.notes.n; n++)
                assay_buffer_printf(&r.text, "note: %s\n", r.notes.text[n]);
            assay_buffer_char(&r.text, '\0');
            shorten(reader, r.text.ptr);
            accept(&r);
            if (strcmp(r.text.ptr, read_beside(&r, ".want")) != 0)
                printf("%s/%s:\n", reader->name, files.name[k]);
            CHECK_STR(r.text.ptr, read_beside(&r, ".want"));
            close_fixture(&r);
        }
    }
}

TEST(every_reader_passes_on_what_the_sink_says)
{
    const assay_doc_reader *reader;
    static listing files;

    for (size_t i = 0; (reader = assay_doc_reader_at(i)) != NULL; i++) {
        list(reader, "good", &files);
        for (size_t k = 0; can_run(reader) && k < files.n; k++) {
            reading r;
            assay_error err;

            open_fixture(&r, reader, files.name[k]);
            r.stop_at = 1;
            CHECK(reader->read(&r.source, put_document, &r, &err) == ASSAY_NO);
            CHECK_STR(err.text, "enough");
            CHECK_INT(r.n, 1);
            close_fixture(&r);
        }
    }
}

/* A reader that hands on the file as it is cannot fail; every other has bad files. */
TEST(every_bad_file_fails_with_the_message_beside_it)
{
    const assay_doc_reader *reader;
    static listing files;

    for (size_t i = 0; (reader = assay_doc_reader_at(i)) != NULL; i++) {
        reading r;
        assay_error err;

        list(reader, "good", &files);
        open_fixture(&r, reader, files.name[0]);
        if (!can_run(reader) || reader->read(&r.source, put_document, &r, &err))
            r.is_whole = false;
        list(reader, "bad_", &files);
        if (!files.n && !r.is_whole)
            check_failed(__FILE__, __LINE__, "'%s' has no bad_ fixture", reader->name);
        close_fixture(&r);
        for (size_t k = 0; can_run(reader) && k < files.n; k++) {
            char *want;

            open_fixture(&r, reader, files.name[k]);
            if (reader->read(&r.source, put_document, &r, &err) == ASSAY_OK)
                check_failed(__FILE__, __LINE__, "%s/%s was read", reader->name,
                             files.name[k]);
            CHECK_INT(err.status, ASSAY_EINPUT);
            want = read_beside(&r, ".err");
            want[strcspn(want, "\n")] = '\0';
            shorten(reader, err.text);
            CHECK_STR(err.text, want);
            close_fixture(&r);
        }
    }
}

/* Real collections of other people, where they are at hand. */
TEST(real_collections_give_all_their_documents)
{
    static const struct {
        const char *path;
        const char *reader;
        uint32_t n;
    } set[] = {
        {"cran/corpus.jsonl", "records", 1400},
        {"cacm/corpus.jsonl", "records", 3204},
        {"beir-nfcorpus/corpus.jsonl", "records", 3633},
        {"beir-scifact/corpus.jsonl.gz", "records", 5183},
        {"autorag-ko/corpus.jsonl", "records", 720},
        {"evalvault/examples/benchmarks/korean_rag/retrieval_test.json", "evalvault", 10},
        {"evalvault/README.md", "markdown", 1},
    };

    if (!assay_file_is_folder(TEST_SRC "/../shared/data"))
        SKIP("no ../shared/data");
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++) {
        reading r;
        const assay_doc_reader *reader;
        const char *why;
        assay_error err;

        memset(&r, 0, sizeof r);
        snprintf(r.path, sizeof r.path, "%s/../shared/data/%s", TEST_SRC, set[i].path);
        if (!assay_file_exists(r.path))
            continue;
        if (assay_file_open(&r.file, r.path, &err))
            check_failed(__FILE__, __LINE__, "%s", err.text);
        r.source = (assay_doc_source){.path = r.path,
                                      .id = ASSAY_LIT("x"),
                                      .bytes = r.file.text,
                                      .notes = &r.notes,
                                      .arena = &r.arena};
        reader = assay_doc_reader_for(&r.source, &why);
        CHECK(reader != NULL);
        CHECK_STR(reader->name, set[i].reader);
        if (reader->read(&r.source, put_document, &r, &err))
            check_failed(__FILE__, __LINE__, "%s", err.text);
        CHECK_INT(r.n, set[i].n);
        close_fixture(&r);
    }
}

#ifdef ASSAY_TEST
/* Each allocation fails in turn: the reader says so, and leaks nothing (MODE=asan). */
TEST(every_reader_survives_a_lack_of_memory)
{
    const assay_doc_reader *reader;
    static listing files;

    for (size_t i = 0; (reader = assay_doc_reader_at(i)) != NULL; i++) {
        list(reader, "good", &files);
        for (size_t k = 0; can_run(reader) && k < files.n; k++) {
            reading r;
            assay_status st = ASSAY_ENOMEM;
            uint64_t n;

            open_fixture(&r, reader, files.name[k]);
            for (n = 1; st && n < 5000; n++) {
                r.text.has_failed = false;
                assay_mem_fail_after(n);
                st = reader->read(&r.source, put_document, &r, NULL);
                if (!assay_mem_has_failed() && st)
                    check_failed(__FILE__, __LINE__, "%s: %d", files.name[k], st);
                assay_mem_fail_after(0);
                CHECK(st == ASSAY_OK || st == ASSAY_ENOMEM);
            }
            close_fixture(&r);
        }
    }
}
#endif
