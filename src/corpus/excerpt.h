/* SPDX-License-Identifier: Apache-2.0 */
/* A piece of the corpus by name: a document, a place in it, or a chunk. */
#ifndef ASSAY_CORPUS_EXCERPT_H
#define ASSAY_CORPUS_EXCERPT_H

#include "corpus/corpus.h"

typedef struct assay_excerpt {
    assay_corpus_doc doc; /* the version that it is of */
    assay_slice chunk;    /* its id where a chunk was named, else "" */
    assay_slice chunking; /* of that chunk */
    bool is_today;        /* text and chunk are today's */
    const assay_span *span;
    uint32_t n_spans;
    uint64_t first_line; /* of the first byte, from 1 */
    uint64_t last_line;  /* of the last byte */
} assay_excerpt;

/* Find `name`:
 *
 *     guide.md              the whole document
 *     guide.md:120-345      bytes, the end not included
 *     guide.md:C120-345     characters, the same way
 *     guide.md:L40-52       lines, from 1, both included; L40 is one line
 *     guide.md:#Setup       the section under a heading, or under a path A > B
 *     7f3a9c...             a chunk, of today or archived
 *
 * A document whose id is all of `name` comes first.  *text is set to the version's whole
 * text.  What is not there, or lies outside of the text, is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_excerpt_find(assay_corpus *corpus, assay_slice name,
                                               assay_arena *arena, assay_buffer *text,
                                               assay_excerpt *out, assay_error *err);

#endif
