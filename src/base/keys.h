/* SPDX-License-Identifier: Apache-2.0 */
/* The names of all maps that are open while a nested text is read, to refuse a name
 * that comes twice in one map.  A stack: the names of the innermost map are on top. */
#ifndef ASSAY_BASE_KEYS_H
#define ASSAY_BASE_KEYS_H

#include <stdbool.h>

#include "assay.h"
#include "base/slice.h"

/* Up to here one compares with all names of the map, beyond they are hashed. */
enum { ASSAY_KEYS_SMALL = 32 };

typedef struct assay_key {
    assay_slice name; /* borrowed */
    uint64_t place;   /* line or offset, whatever the reader wants back */
    uint64_t hash;    /* keys.c sets it for keys of large maps; 0 = not in the table */
} assay_key;

/* Zeroed is empty and ready.  Members are private to keys.c. */
typedef struct assay_keys {
    assay_key *key;
    size_t n;
    size_t cap;
    uint32_t *slot;  /* number + 1 of a key of a large map, 0 = free */
    size_t n_slots;  /* a power of two, or 0 */
    size_t n_hashed; /* keys in slot[] */
} assay_keys;

typedef enum assay_keys_result {
    ASSAY_KEYS_NEW,
    ASSAY_KEYS_TWICE,
    ASSAY_KEYS_NO_MEMORY
} assay_keys_result;

/* What assay_keys_add does where the map is large or room is short. */
assay_keys_result assay_keys_add_slow(assay_keys *keys, size_t first, assay_key key,
                                      uint64_t *earlier);

/* Add a name to the map whose first key has (or will have) the number `first`: what
 * keys->n was when the map began.  When it is there already, *earlier is its place. */
static inline assay_keys_result assay_keys_add(assay_keys *keys, size_t first,
                                               assay_key key, uint64_t *earlier)
{
    if (keys->n - first >= ASSAY_KEYS_SMALL || keys->n == keys->cap)
        return assay_keys_add_slow(keys, first, key, earlier);
    for (size_t i = first; i < keys->n; i++) {
        if (assay_slice_eq(keys->key[i].name, key.name)) {
            *earlier = keys->key[i].place;
            return ASSAY_KEYS_TWICE;
        }
    }
    keys->key[keys->n++] = key;
    return ASSAY_KEYS_NEW;
}

/* Forget the hashed keys from number `first` on. */
void assay_keys_drop_slow(assay_keys *keys, size_t first);

/* The innermost map, which began at `first`, is complete. */
static inline void assay_keys_drop(assay_keys *keys, size_t first)
{
    if (keys->n > first && keys->key[first].hash)
        assay_keys_drop_slow(keys, first);
    keys->n = first;
}

/* Forget all, keep the memory. */
void assay_keys_reset(assay_keys *keys);

void assay_keys_clear(assay_keys *keys);

#endif
