/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the places where a quote stands is meant. */
#ifndef ASSAY_CORPUS_LOCATE_CHOOSE_H
#define ASSAY_CORPUS_LOCATE_CHOOSE_H

#include <stdbool.h>

#include "assay.h"
#include "base/span.h"
#include "corpus/locate.h"

/* The place that came with a quote. */
typedef struct assay_hint {
    bool is_given;
    bool is_loose; /* lines and headings: where no quote is inside, one that touches them
                       is there too */
    assay_span span;
    char name[120]; /* "lines 40-52" */
} assay_hint;

typedef struct assay_choice {
    assay_finding finding;
    size_t place;     /* number of the one chosen; the first of several */
    size_t n_at;      /* how many are at the hint; all where there is none */
    bool is_touching; /* those only touch the hint */
} assay_choice;

/* Whether a place is inside of the hint, or the other way round; or just touches it. */
bool assay_hint_holds(const assay_hint *hint, assay_span place, bool is_touching);

/* Choose among place[0..n), ascending, n > 0.  The one that is the hint's very span, else
 * the only one at the hint, else, when none is there, the nearest (of two the earlier). */
assay_choice assay_choose(const assay_span *place, size_t n, const assay_hint *hint);

/* The occurrences of `needle` that matter for a hint when there are too many to list: those
 * that touch `around`, the last before and the first behind it; at most `most` (> 2), put
 * into `out` ascending. */
size_t assay_choose_near(assay_slice text, assay_slice needle, assay_span around,
                         assay_span *out, size_t most);

#endif
