/* SPDX-License-Identifier: Apache-2.0 */
/* Changes to a text, collected first and made at once, so that all places are those of
 * the text as it was. */
#ifndef ASSAY_BASE_EDITS_H
#define ASSAY_BASE_EDITS_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"

typedef struct assay_edit {
    size_t at; /* bytes [at, end) of the old text ... */
    size_t end;
    assay_slice text; /* ... become this */
    size_t number;    /* of the edit: those at one place are made in this order */
} assay_edit;

/* Zeroed is empty and ready. */
typedef struct assay_edits {
    assay_edit *item;
    size_t n;
    size_t cap;
} assay_edits;

/* Replace [at, end) by a copy of `text`, kept in `arena`.  False: no memory. */
bool assay_edits_add(assay_edits *edits, assay_arena *arena, size_t at, size_t end,
                     assay_slice text);

/* Append the changed text to `out`.  False when two edits overlap; nothing is appended
 * then.  Memory is told by out->has_failed. */
bool assay_edits_apply(assay_edits *edits, assay_slice text, assay_buffer *out);

void assay_edits_clear(assay_edits *edits);

#endif
