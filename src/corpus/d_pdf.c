/* SPDX-License-Identifier: Apache-2.0 */
/* PDF: the text is what pdftotext makes of it, in reading order, each page ended by a form
 * feed.  A program of its own, so that a broken file cannot harm us. */
#include <errno.h>
#include <string.h>

#include "base/buffer.h"
#include "base/child.h"
#include "base/error.h"
#include "base/slice.h"
#include "corpus/doc_name.h"
#include "corpus/document.h"

enum { SECONDS = 120, MAGIC_WITHIN = 1024 };

#define MOST_TEXT ((size_t)1 << 30)

/* Some writers put a few bytes before the beginning. */
static bool has_magic(assay_slice head)
{
    static const char magic[] = "%PDF-";
    size_t last = head.len < MAGIC_WITHIN ? head.len : MAGIC_WITHIN;

    for (size_t i = 0; i + sizeof magic - 1 <= last; i++)
        if (memcmp(head.ptr + i, magic, sizeof magic - 1) == 0)
            return true;
    return false;
}

/* One that only says so in its name is taken, too, and then fails: better than silence. */
static int sniff_pdf(const assay_doc_source *source)
{
    if (assay_doc_ends(source, "pdf"))
        return 95;
    return assay_slice_starts(assay_doc_head(source), "%PDF-") ? 90 : 0;
}

static assay_status fail_missing(const assay_doc_source *source, assay_error *err)
{
    return assay_fail(err, ASSAY_ESYSTEM,
                      "'%s' needs pdftotext; install it with 'apt-get install "
                      "poppler-utils'",
                      source->path);
}

static assay_slice first_line(const assay_buffer *text)
{
    assay_slice all = assay_slice_trim(assay_buffer_view(text));
    const char *end = memchr(all.ptr, '\n', all.len);

    return (assay_slice){all.ptr, end ? (size_t)(end - all.ptr) : all.len};
}

static assay_status judge(const assay_doc_source *source, const assay_buffer *complaint,
                          assay_child_end end, int number, assay_error *err)
{
    assay_slice words = first_line(complaint);

    switch (end) {
    case ASSAY_CHILD_EXITED:
        if (number == 0)
            return ASSAY_OK;
        if (!words.len)
            words = ASSAY_LIT("failed without a word");
        return assay_fail_at(err, source->path, 0, "pdftotext: %.*s", ASSAY_QUOTE(words));
    case ASSAY_CHILD_KILLED:
        return assay_fail_at(err, source->path, 0, "pdftotext was ended by signal %d",
                             number);
    case ASSAY_CHILD_LATE:
        return assay_fail_at(err, source->path, 0,
                             "pdftotext took longer than %d seconds", SECONDS);
    case ASSAY_CHILD_TOO_MUCH:
        return assay_fail_at(err, source->path, 0, "more than 1 GB of text in it");
    case ASSAY_CHILD_NOT_BEGUN: break;
    }
    return fail_missing(source, err);
}

static assay_status ask(const assay_doc_source *source, const char *const *argv,
                        assay_slice input, assay_buffer *out, assay_buffer *complaint,
                        assay_error *err)
{
    const assay_child child = {.argv = argv,
                               .input = input,
                               .seconds = SECONDS,
                               .max_output = MOST_TEXT,
                               .out = out,
                               .complaint = complaint};
    assay_child_end end;
    int number;
    assay_status st = assay_child_run(&child, &end, &number, err);

    return st ? st : judge(source, complaint, end, number, err);
}

/* "pdftotext 22.12.0", from the first line of what it says about itself. */
static assay_status read_version(const assay_doc_source *source, const char *program,
                                 assay_buffer *version, assay_error *err)
{
    const char *const argv[] = {program, "-v", NULL};
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_buffer complaint = ASSAY_BUFFER_EMPTY;
    assay_status st = ask(source, argv, ASSAY_LIT(""), &out, &complaint, err);
    assay_slice line = first_line(complaint.len ? &complaint : &out);
    assay_slice word[3];

    if (!st) {
        size_t n = assay_slice_fields(line, word, 3);

        assay_buffer_text(version, "pdftotext");
        if (n >= 3 && assay_slice_is(word[1], "version")) {
            assay_buffer_char(version, ' ');
            assay_buffer_slice(version, word[2]);
        }
    }
    assay_buffer_clear(&out);
    assay_buffer_clear(&complaint);
    return st;
}

static assay_status emit_text(const assay_doc_source *source, const assay_buffer *text,
                              const assay_buffer *version, assay_doc_sink *emit,
                              void *ctx, assay_error *err)
{
    assay_document doc = {.id = source->id,
                          .title = ASSAY_LIT(""),
                          .text = assay_buffer_view(text),
                          .form = ASSAY_FORM_PLAIN,
                          .lang = ASSAY_LIT(""),
                          .extractor = assay_buffer_view(version)};

    if (!assay_slice_trim(doc.text).len && source->notes &&
        !assay_notes_add(source->notes, source->arena,
                         "%s: no text in it; scanned pages need character recognition",
                         source->path))
        return assay_fail_memory(err, "reading a PDF");
    return emit(ctx, &doc, err);
}

static assay_status read_pdf(const assay_doc_source *source, assay_doc_sink *emit,
                             void *ctx, assay_error *err)
{
    const char *program = source->pdftotext ? source->pdftotext : "pdftotext";
    const char *const argv[] = {program, "-enc", "UTF-8", "-eol", "unix", "-", "-", NULL};
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_buffer complaint = ASSAY_BUFFER_EMPTY;
    assay_buffer version = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    if (!has_magic(assay_doc_text(source)))
        return assay_fail_at(err, source->path, 0,
                             "no PDF: it does not begin with %%PDF-");
    st = read_version(source, program, &version, err);
    if (!st)
        st = ask(source, argv, source->bytes, &text, &complaint, err);
    if (!st && (text.has_failed || version.has_failed))
        st = assay_fail_memory(err, "reading a PDF");
    if (!st)
        st = emit_text(source, &text, &version, emit, ctx, err);
    assay_buffer_clear(&text);
    assay_buffer_clear(&complaint);
    assay_buffer_clear(&version);
    return st;
}

const assay_doc_reader assay_doc_reader_pdf = {
    .name = "pdf",
    .summary = "PDF, through pdftotext where it is installed; pages end with a form feed",
    .endings = "pdf",
    .is_binary = true,
    .sniff = sniff_pdf,
    .read = read_pdf,
};
