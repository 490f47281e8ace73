/* SPDX-License-Identifier: Apache-2.0 */
/* Citation markers in an answer: [#3], [#1][#2], [#1, #3]. */
#ifndef ASSAY_ANSWER_MARKERS_H
#define ASSAY_ANSWER_MARKERS_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"

typedef struct assay_markers {
    uint32_t *number; /* from 1, in the order of the text, as often as they stand there */
    size_t n;
} assay_markers;

/* Numbers have at most three digits.  Models forget the #: where no marker has one, [3]
 * and [1, 3] count too, unless a link's address follows.  False: no memory. */
bool assay_markers_find(assay_slice text, assay_arena *arena, assay_markers *out);

#endif
