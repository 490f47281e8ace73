/* SPDX-License-Identifier: Apache-2.0 */
/* A document, and the socket for what reads them (d_*.c, listed in document_roster.h).
 *
 * A document keeps its text byte for byte; every span in assay points into that text.
 * Where the source is no text (HTML, PDF) the text is what was extracted, and the
 * extractor's name and version are part of the corpus hash. */
#ifndef ASSAY_CORPUS_DOCUMENT_H
#define ASSAY_CORPUS_DOCUMENT_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/notes.h"

/* How the text is built: what a chunker may rely on. */
typedef enum assay_form {
    ASSAY_FORM_PLAIN,    /* paragraphs between blank lines; pages end with a form feed */
    ASSAY_FORM_MARKDOWN, /* also what is extracted from HTML: headings with #, ``` ... */
    ASSAY_FORM_CODE      /* lines */
} assay_form;

/* What people call a form: "plain", "markdown", "code". */
const char *assay_form_name(assay_form form);

/* All slices are borrowed; they hold while the sink that gets the document runs. */
typedef struct assay_document {
    assay_slice id;    /* path relative to the root, or the record's own id; never "" */
    assay_slice title; /* "" when there is none of its own */
    assay_slice text;  /* may be empty, may be broken UTF-8 */
    assay_form form;
    assay_slice lang;      /* of code: "c", "python" ...; "" else */
    assay_slice extractor; /* "" = the text is the file's own bytes; "html@1" ... */
    uint32_t line;         /* of the record in its file, 0 = the file is the document */
} assay_document;

/* One file, mapped (and unpacked where it was gz or zst). */
typedef struct assay_doc_source {
    const char *path;      /* to open it, for its ending, and for messages */
    assay_slice id;        /* what a document that is the whole file is called */
    assay_slice bytes;     /* unpacked; a byte order mark is still there */
    bool is_named;         /* the user named this very file: be less picky */
    const char *pdftotext; /* the program, or null: look for it in the PATH */
    assay_notes *notes;    /* what people should know though the file was read */
    assay_arena *arena;    /* for the notes, and for what must outlive a sink's call */
} assay_doc_source;

/* Takes one document; a status other than ASSAY_OK stops the reader, who passes it on. */
typedef assay_status assay_doc_sink(void *ctx, const assay_document *doc,
                                    assay_error *err);

typedef struct assay_doc_reader {
    const char *name;    /* "markdown" */
    const char *summary; /* one line */
    const char *endings; /* "md|markdown", or null */

    bool is_binary; /* is asked about files that are no text, too */

    /* How sure: 0 = not mine, 100 = certain.  Sees the name and the first 64 kB. */
    int (*sniff)(const assay_doc_source *source);

    /* Hand every document of the file to `emit`, in file order.  A malformed file is
     * ASSAY_EINPUT with file and line; one that needs a program which is not installed
     * is ASSAY_ESYSTEM and says what to install.  Documents may have been emitted before
     * the fault was seen: who gets an error keeps none of them. */
    assay_status (*read)(const assay_doc_source *source, assay_doc_sink *emit, void *ctx,
                         assay_error *err);
} assay_doc_reader;

/* Null past the end. */
const assay_doc_reader *assay_doc_reader_at(size_t i);
const assay_doc_reader *assay_doc_reader_find(assay_slice name);

/* The reader that is surest of the file, or null where there is nothing to read in it.
 * *why (never null then) says it in words for a summary: "empty", "binary", "UTF-16",
 * "queries, no documents", "judgments, no documents".  Every other file is at least plain
 * text. */
const assay_doc_reader *assay_doc_reader_for(const assay_doc_source *source,
                                             const char **why);

#endif
