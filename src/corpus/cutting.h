/* SPDX-License-Identifier: Apache-2.0 */
/* What chunkers share: collecting spans and headings, and making chunks of them.
 *
 * White space is what isspace says in the C locale, and a byte order mark at the very
 * beginning.  The first failure sticks; assay_cutting_finish tells it. */
#ifndef ASSAY_CORPUS_CUTTING_H
#define ASSAY_CORPUS_CUTTING_H

#include "corpus/chunker.h"

typedef struct assay_cutting {
    assay_slice text;
    assay_arena *arena;
    size_t body;      /* where the text begins: behind a byte order mark */
    assay_span *span; /* one for each chunk so far */
    size_t n;
    size_t cap;
    assay_heading *heading;
    size_t n_headings;
    size_t cap_headings;
    bool has_failed;
} assay_cutting;

/* Nothing cut so far.  `arena` gets the chunks in the end. */
assay_cutting assay_cutting_of(const assay_document *doc, assay_arena *arena);

/* A chunk [start, end), without white space at its end and blank lines at its beginning;
 * none when nothing is left.  Starts must not descend. */
void assay_cutting_add(assay_cutting *cutting, uint64_t start, uint64_t end);

/* The same with every byte kept, unless all are white space. */
void assay_cutting_add_exact(assay_cutting *cutting, uint64_t start, uint64_t end);

/* A heading whose line begins at `start`, which must ascend. */
void assay_cutting_heading(assay_cutting *cutting, uint64_t start, uint32_t level,
                           assay_slice text);

/* All headings, for chunkers that do not come across them; none but in Markdown. */
void assay_cutting_find_headings(assay_cutting *cutting, const assay_document *doc);

/* Put chunks and headings into *out, each chunk under the heading above its first byte,
 * and free what is held here.  False: no memory, and *out is not touched. */
bool assay_cutting_finish(assay_cutting *cutting, assay_chunks *out);

/* The first byte at or after `at` that is not white space; `end` when there is none. */
uint64_t assay_cutting_skip_space(assay_slice text, uint64_t at, uint64_t end);

/* The end of what is not white space in [start, end); `start` when there is none. */
uint64_t assay_cutting_trim(assay_slice text, uint64_t start, uint64_t end);

/* The next run of lines that are not blank: from the first byte of its first line to the
 * last of its last that is not white space.  False at the end of [*at, end). */
bool assay_cutting_paragraph(assay_slice text, uint64_t *at, uint64_t end,
                             assay_span *out);

#endif
