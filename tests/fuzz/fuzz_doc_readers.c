/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as documents.  The first byte chooses the file's name; the reader that takes
 * the file reads it, and every other is asked to.  What is emitted must be sound. */
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "corpus/document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"a.json", "a.jsonl", "a.html", "a.md",
                                    "a",      "a.txt",   "a.pdf",  "corpus.jsonl"};

static assay_status check(void *ctx, const assay_document *doc, assay_error *err)
{
    volatile unsigned sum = 0;

    (void)ctx;
    (void)err;
    if (!doc->id.len || !doc->id.ptr || !doc->title.ptr || !doc->text.ptr)
        abort();
    if (!doc->lang.ptr || !doc->extractor.ptr || !assay_form_name(doc->form))
        abort();
    /* Touch every byte, for the sanitizer. */
    for (size_t i = 0; i < doc->text.len; i++)
        sum += (unsigned char)doc->text.ptr[i];
    for (size_t i = 0; i < doc->title.len; i++)
        sum += (unsigned char)doc->title.ptr[i];
    return ASSAY_OK;
}

static void read_with(const assay_doc_reader *reader, const assay_doc_source *source)
{
    assay_error err;

    err.text[0] = '\0';
    if (reader->read(source, check, NULL, &err) && !err.text[0])
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_notes notes = {0};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    const assay_doc_reader *reader;
    assay_doc_source source = {.pdftotext = "/no/such/program",
                               .id = ASSAY_LIT("id"),
                               .notes = &notes,
                               .arena = &arena};
    const char *why = NULL;

    if (!size)
        return 0;
    source.path = names[data[0] % (sizeof names / sizeof names[0])];
    source.is_named = data[0] & 0x80;
    source.bytes = (assay_slice){(const char *)data + 1, size - 1};
    reader = assay_doc_reader_for(&source, &why);
    if (!reader == !why)
        abort();
    for (size_t i = 0; (reader = assay_doc_reader_at(i)) != NULL; i++)
        read_with(reader, &source);
    assay_notes_clear(&notes);
    assay_arena_clear(&arena);
    return 0;
}
