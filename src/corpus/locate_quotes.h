/* SPDX-License-Identifier: Apache-2.0 */
/* The quotes that are looked for, each different one once. */
#ifndef ASSAY_CORPUS_LOCATE_QUOTES_H
#define ASSAY_CORPUS_LOCATE_QUOTES_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/dict.h"
#include "corpus/locate_hunt.h"

/* Zero-initialised is empty. */
typedef struct assay_quotes {
    assay_hunted *quote;
    uint32_t n;
    size_t cap;
    assay_dict known;
    assay_arena arena; /* folded texts */
} assay_quotes;

/* The number of a quote (not empty), whose bytes must stay.  False: no memory. */
bool assay_quotes_add(assay_quotes *q, assay_slice quote, uint32_t *number);

/* Fold those that `skip` does not name, and say how many edits they are allowed. */
bool assay_quotes_fold(assay_quotes *q, const uint8_t *skip);

void assay_quotes_clear(assay_quotes *q);

#endif
