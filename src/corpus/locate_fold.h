/* SPDX-License-Identifier: Apache-2.0 */
/* A text folded for anchors, with the way back to its bytes.
 *
 * Folding is Unicode NFC with full case folding; each run of white space becomes one
 * blank; what Unicode calls default ignorable (soft hyphens, zero-width characters,
 * variation selectors) is dropped; a hyphen or soft hyphen between letters that stands at
 * a line break is dropped together with the break; typographic quotes, dashes and the
 * ellipsis become their ASCII forms.  Bytes that are not UTF-8 stand for themselves.
 *
 * Folding goes unit by unit: a unit is a range of source bytes that becomes some folded
 * bytes, and what it becomes depends on the source around it alone.  So the way back
 * needs no table with an entry for each byte: from a few marks the units between are
 * folded again. */
#ifndef ASSAY_CORPUS_LOCATE_FOLD_H
#define ASSAY_CORPUS_LOCATE_FOLD_H

#include <stdbool.h>

#include "assay.h"
#include "base/span.h"

/* Where a unit begins, on both sides. */
typedef struct assay_fold_mark {
    size_t source;
    size_t folded;
} assay_fold_mark;

typedef struct assay_folded {
    assay_slice source; /* borrowed */
    char *ptr;          /* the folded text */
    size_t len;
    size_t cap;
    assay_fold_mark *mark; /* every few hundred folded bytes; the first is {0, 0} */
    size_t n_marks;
    size_t cap_marks;
} assay_folded;

/* Fold all of `source`, which must stay while *out is used.  False: no memory, *out is
 * empty. */
bool assay_folded_init(assay_folded *out, assay_slice source);

void assay_folded_clear(assay_folded *f);

static inline assay_slice assay_folded_view(const assay_folded *f)
{
    return (assay_slice){f->ptr ? f->ptr : "", f->len};
}

/* The source bytes that became folded[start, end), start < end: whole units. */
assay_span assay_folded_source(const assay_folded *f, size_t start, size_t end);

/* Where in the folded text the unit stands that holds source byte `at`, or the next one
 * after it; f->len when there is none. */
size_t assay_folded_find(const assay_folded *f, size_t at);

/* Whether a character of the text may begin or end at byte `at`: false inside of a
 * well-formed sequence. */
bool assay_fold_is_boundary(assay_slice text, size_t at);

#endif
