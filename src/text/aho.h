/* SPDX-License-Identifier: Apache-2.0 */
/* Many words in one pass over a text: the automaton of Aho and Corasick (1975), on bytes. */
#ifndef ASSAY_TEXT_AHO_H
#define ASSAY_TEXT_AHO_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"

/* Zeroed is empty and ready. */
typedef struct assay_aho {
    struct assay_aho_state *state;
    uint32_t n_states;
    size_t cap_states;
    uint32_t root[256]; /* children of the root, 0 = none: most steps start there */
} assay_aho;

/* Add `word` (not empty) under a number of the caller's; a word that is there already
 * keeps its first number.  False: no memory. */
bool assay_aho_add(assay_aho *aho, assay_slice word, uint32_t number);

/* After the last word: the links that make it one pass.  False: no memory. */
bool assay_aho_finish(assay_aho *aho);

/* Word `number` stands in the text as [start, end). */
typedef void assay_aho_found(void *ctx, uint32_t number, size_t start, size_t end);

/* Tell every occurrence, by ascending end, longer words first.  Only reads `aho`. */
void assay_aho_scan(const assay_aho *aho, assay_slice text, assay_aho_found *found,
                    void *ctx);

void assay_aho_clear(assay_aho *aho);

#endif
