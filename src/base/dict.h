/* SPDX-License-Identifier: Apache-2.0 */
/* Strings to dense numbers 0, 1, 2 ... in the order of their first appearance. */
#ifndef ASSAY_BASE_DICT_H
#define ASSAY_BASE_DICT_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "base/hash.h"

#define ASSAY_NONE UINT32_MAX

/* Zeroed is empty and ready. */
typedef struct assay_dict {
    assay_slice
        *word;      /* by number; points at what the caller gave (or the arena's copy) */
    uint64_t *hash; /* by number */
    uint32_t *slot; /* open addressing: number + 1, 0 = free */
    size_t n_slots; /* a power of two, or 0 */
    uint32_t n;     /* words so far */
    size_t cap;     /* room in word[] and hash[] */
} assay_dict;

/* The number of `word`, added when new.  The bytes are copied into `arena`, or, where
 * that is null, must outlive the dictionary.  *is_new may be null.  False: no memory. */
bool assay_dict_put(assay_dict *dict, assay_arena *arena, assay_slice word,
                    uint32_t *number, bool *is_new);

/* The same for a caller who has the hash already. */
bool assay_dict_put_hashed(assay_dict *dict, assay_arena *arena, assay_slice word,
                           uint64_t hash, uint32_t *number, bool *is_new);

/* Fetch the place of a word with this hash into the cache: who has many words to put
 * hashes a few, asks for their places, and then finds them there. */
static inline void assay_dict_prefetch(const assay_dict *dict, uint64_t hash)
{
    if (dict->n_slots)
        ASSAY_PREFETCH(&dict->slot[hash & (dict->n_slots - 1)]);
}

/* ASSAY_NONE when it is not there. */
uint32_t assay_dict_find(const assay_dict *dict, assay_slice word);

void assay_dict_clear(assay_dict *dict);

#endif
