/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader wants to tell a person although it went on: unknown keys, ids made up,
 * hits dropped.  The library is silent, so the words travel with the noun. */
#ifndef ASSAY_BASE_NOTES_H
#define ASSAY_BASE_NOTES_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/compiler.h"

typedef struct assay_notes {
    const char **text; /* one line each, no final stop */
    size_t n;
    size_t cap;
} assay_notes;

/* Add a line, kept in `arena`; false: no memory. */
bool assay_notes_add(assay_notes *notes, assay_arena *arena, const char *format, ...)
    ASSAY_PRINTF(3, 4);

void assay_notes_clear(assay_notes *notes);

#endif
