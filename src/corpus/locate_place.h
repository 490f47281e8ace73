/* SPDX-License-Identifier: Apache-2.0 */
/* Places in a text: bytes to lines, and lines, characters or loose bytes to spans. */
#ifndef ASSAY_CORPUS_LOCATE_PLACE_H
#define ASSAY_CORPUS_LOCATE_PLACE_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/span.h"
#include "corpus/locate.h"

/* A text with counts of lines and characters every few kB. */
typedef struct assay_placer {
    assay_slice text;
    uint64_t *lines; /* line feeds before each block */
    uint64_t *chars; /* characters before each block; null until they are asked for */
    size_t n_blocks;
    uint64_t n_lines; /* a last line without a line feed counts */
    uint64_t n_chars; /* code points; a stray continuation byte counts for nothing */
} assay_placer;

/* False: no memory, and nothing to clear. */
bool assay_placer_init(assay_placer *p, assay_slice text);
void assay_placer_clear(assay_placer *p);

/* The line, from 1, on which byte `at` stands. */
uint64_t assay_placer_line(const assay_placer *p, uint64_t at);

/* The bytes of a place, snapped outward to UTF-8 boundaries.  What lies beyond the text is
 * cut off; *is_inside says whether nothing had to be, and then the span is not empty.
 * Lines go up to and with their line feed.  False: no memory. */
bool assay_placer_span(assay_placer *p, assay_place place, assay_span where,
                       assay_span *out, bool *is_inside);

/* "lines 40-52, but the document has 31": why a place is not inside.  Null: no memory. */
const char *assay_placer_reason(const assay_placer *p, assay_place place,
                                assay_span where, assay_arena *arena);

/* "lines 40-52", "bytes 10-20", "characters 10-20" into out. */
void assay_placer_name(assay_place place, assay_span where, char *out, size_t size);

#endif
