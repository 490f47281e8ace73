/* SPDX-License-Identifier: Apache-2.0 */
/* A chunk's text as sentences that can be quoted one by one. */
#ifndef ASSAY_ANSWER_UNITS_H
#define ASSAY_ANSWER_UNITS_H

#include <stdbool.h>

#include "answer/answer.h"

typedef struct assay_unit {
    size_t start; /* in the chunk's text, white space and list marks left out */
    size_t end;
    bool is_heading; /* of Markdown: says what follows is about, is no sentence */
} assay_unit;

/* The first unit at or behind *at (0 in the beginning), which is moved behind it; false
 * when there is none.  Sentences end where they do in prose, at a line of Markdown that
 * begins something new (a list item, a row, a heading), and where a span of the chunk
 * ends, so that each lies in one span.  Code between fences is passed over. */
bool assay_unit_next(const assay_source_chunk *chunk, size_t *at, assay_unit *out);

/* Where [start, end) of the chunk's text stands in its document.  Where the spans do not
 * tell: the chunk's own place if that is one span or if the chunk has no id to look it up
 * by; else {0, 0}. */
assay_span assay_unit_place(const assay_source_chunk *chunk, size_t start, size_t end);

#endif
