/* SPDX-License-Identifier: Apache-2.0 */
/* What the document readers ask of a file before they read it: its name and its head. */
#ifndef ASSAY_CORPUS_DOC_NAME_H
#define ASSAY_CORPUS_DOC_NAME_H

#include <stdbool.h>

#include "assay.h"
#include "corpus/document.h"

/* What sniffing looks at. */
enum { ASSAY_DOC_HEAD = 1 << 16 };

/* The last name of the path, without .gz or .zst: the bytes are unpacked already. */
assay_slice assay_doc_name(const assay_doc_source *source);

/* What follows the last dot in it; "" without one, and for ".profile". */
assay_slice assay_doc_ending(const assay_doc_source *source);

/* Whether the ending is one of "md|markdown", ASCII case apart. */
bool assay_doc_ends(const assay_doc_source *source, const char *endings);

/* Whether `word` is one of "md|markdown", ASCII case apart. */
bool assay_doc_is_one_of(assay_slice word, const char *list);

/* The bytes without a byte order mark: the mark is no part of a text, and spans are
 * counted from behind it. */
assay_slice assay_doc_text(const assay_doc_source *source);

/* The first 64 kB of that. */
assay_slice assay_doc_head(const assay_doc_source *source);

/* Hand on the whole file as one document: no copy, whatever its size. */
assay_status assay_doc_whole(const assay_doc_source *source, assay_form form,
                             assay_slice lang, assay_slice title, assay_doc_sink *emit,
                             void *ctx, assay_error *err);

#endif
