/* SPDX-License-Identifier: Apache-2.0 */
/* How alike two texts are, by their folded words. */
#ifndef ASSAY_DIAGNOSE_ALIKE_H
#define ASSAY_DIAGNOSE_ALIKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay.h"
#include "base/arena.h"

/* Words as hashes, in the order of the text. */
typedef struct assay_hashed_words {
    uint32_t *word;
    size_t n;
} assay_hashed_words;

/* False: no memory. */
bool assay_hashed_words_of(assay_slice text, assay_arena *arena, assay_hashed_words *out);

/* Put them in ascending order, each once. */
void assay_hashed_words_sort(assay_hashed_words *words);

/* Of two sorted lists: words that both have, over words that either has; 0 for none. */
double assay_words_jaccard(const assay_hashed_words *a, const assay_hashed_words *b);

/* The longest run of words that stands in both, in words.  `scratch` gets the room. */
bool assay_words_longest_run(const assay_hashed_words *a, const assay_hashed_words *b,
                             assay_arena *scratch, size_t *out);

/* A text in a few numbers: for each of many hash functions the least value of any run of
 * ASSAY_SHINGLE words.  The share of equal numbers of two sketches is near the Jaccard
 * index of their runs (Broder 1997). */
enum { ASSAY_SHINGLE = 4, ASSAY_SKETCH = 32 };

typedef struct assay_sketch {
    uint64_t hash; /* of all words in their order */
    uint32_t n_words;
    uint32_t least[ASSAY_SKETCH];
} assay_sketch;

void assay_sketch_of(const assay_hashed_words *words, assay_sketch *out);

/* 0 to 1; 1 when all words are the same.  A text of fewer than two runs' words is only
 * like one with the same words. */
double assay_sketch_alike(const assay_sketch *a, const assay_sketch *b);

/* What alike texts share at least one of: keys for sorting, so that not every pair needs
 * to be looked at.  Of two sketches with 28 or more equal numbers at least four bands are
 * equal.  Returns how many there are. */
enum { ASSAY_SKETCH_BANDS = 8, ASSAY_SKETCH_KEYS = ASSAY_SKETCH_BANDS + 1 };
size_t assay_sketch_keys(const assay_sketch *sketch, uint64_t key[ASSAY_SKETCH_KEYS]);

#endif
