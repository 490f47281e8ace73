/* SPDX-License-Identifier: Apache-2.0 */
/* The terms that one worker has met while an index is built.  An entry is one line of the
 * processor's cache with everything that a further occurrence needs. */
#ifndef ASSAY_INDEX_VOCABULARY_H
#define ASSAY_INDEX_VOCABULARY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "assay.h"
#include "base/arena.h"
#include "base/compiler.h"

enum { ASSAY_VOCABULARY_NEAR = 40 };

typedef struct assay_vocabulary_entry {
    uint64_t hash;
    uint32_t len;    /* 0 = free */
    uint32_t number; /* in the order of first appearance */
    uint32_t doc;    /* last document that had it, plus 1 */
    uint32_t slot;   /* where that document's count is */
    union {
        char near[ASSAY_VOCABULARY_NEAR]; /* the term, where it fits */
        const char *far;
    } at;
} assay_vocabulary_entry;

/* Zeroed is empty and ready. */
typedef struct assay_vocabulary {
    assay_vocabulary_entry *entry; /* open addressing by the hash's low bits */
    size_t n_slots;                /* a power of two, or 0 */
    uint32_t n;
    assay_arena bytes;
} assay_vocabulary;

static inline const char *assay_vocabulary_text(const assay_vocabulary_entry *e)
{
    return e->len <= ASSAY_VOCABULARY_NEAR ? e->at.near : e->at.far;
}

/* Make room for one more term; 0: no memory. */
int assay_vocabulary_room(assay_vocabulary *v);

/* Fill a free entry; null: no memory. */
assay_vocabulary_entry *assay_vocabulary_add(assay_vocabulary *v,
                                             assay_vocabulary_entry *e, assay_slice term,
                                             uint64_t hash);

static inline void assay_vocabulary_prefetch(const assay_vocabulary *v, uint64_t hash)
{
    if (v->n_slots)
        ASSAY_PREFETCH(&v->entry[hash & (v->n_slots - 1)]);
}

/* The entry of `term` (not empty), added when new; holds until the next call.  Null: no
 * memory. */
static inline assay_vocabulary_entry *assay_vocabulary_put(assay_vocabulary *v,
                                                           assay_slice term,
                                                           uint64_t hash)
{
    size_t i;

    if (ASSAY_UNLIKELY((size_t)v->n * 2 >= v->n_slots) && !assay_vocabulary_room(v))
        return NULL;
    i = hash & (v->n_slots - 1);
    for (;; i = (i + 1) & (v->n_slots - 1)) {
        assay_vocabulary_entry *e = &v->entry[i];

        if (!e->len)
            return assay_vocabulary_add(v, e, term, hash);
        if (e->hash == hash && e->len == term.len &&
            memcmp(assay_vocabulary_text(e), term.ptr, term.len) == 0)
            return e;
    }
}

void assay_vocabulary_clear(assay_vocabulary *v);

#endif
