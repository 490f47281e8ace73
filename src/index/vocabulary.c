/* SPDX-License-Identifier: Apache-2.0 */
#include "index/vocabulary.h"

#include "base/mem.h"

enum { FIRST_SLOTS = 1 << 12 };

int assay_vocabulary_room(assay_vocabulary *v)
{
    size_t n_slots = v->n_slots ? v->n_slots * 4 : FIRST_SLOTS;
    assay_vocabulary_entry *entry;

    if (v->n == UINT32_MAX - 1 || n_slots > SIZE_MAX / sizeof *entry)
        return 0;
    entry = assay_mem_alloc_spread(n_slots * sizeof *entry);
    if (!entry)
        return 0;
    memset(entry, 0, n_slots * sizeof *entry);
    for (size_t i = 0; i < v->n_slots; i++) {
        size_t to = v->entry[i].hash & (n_slots - 1);

        if (!v->entry[i].len)
            continue;
        while (entry[to].len)
            to = (to + 1) & (n_slots - 1);
        entry[to] = v->entry[i];
    }
    assay_mem_free(v->entry);
    v->entry = entry;
    v->n_slots = n_slots;
    return 1;
}

assay_vocabulary_entry *assay_vocabulary_add(assay_vocabulary *v,
                                             assay_vocabulary_entry *e, assay_slice term,
                                             uint64_t hash)
{
    if (term.len > UINT32_MAX)
        return NULL;
    if (term.len <= ASSAY_VOCABULARY_NEAR) {
        memcpy(e->at.near, term.ptr, term.len);
    } else {
        assay_slice copy = assay_arena_copy(&v->bytes, term);

        if (!copy.ptr)
            return NULL;
        e->at.far = copy.ptr;
    }
    e->hash = hash;
    e->len = (uint32_t)term.len;
    e->number = v->n++;
    e->doc = 0;
    return e;
}

void assay_vocabulary_clear(assay_vocabulary *v)
{
    assay_mem_free(v->entry);
    assay_arena_clear(&v->bytes);
    *v = (assay_vocabulary){.entry = NULL};
}
