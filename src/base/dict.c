/* SPDX-License-Identifier: Apache-2.0 */
#include "base/dict.h"

#include <string.h>

#include "base/mem.h"
#include "base/slice.h"

static bool grow_slots(assay_dict *dict)
{
    size_t n_slots = dict->n_slots ? dict->n_slots * 2 : 16;
    uint32_t *slot = ASSAY_NEW_ARRAY(uint32_t, n_slots);

    if (!slot)
        return false;
    for (uint32_t i = 0; i < dict->n; i++) {
        size_t at = dict->hash[i] & (n_slots - 1);

        while (slot[at])
            at = (at + 1) & (n_slots - 1);
        slot[at] = i + 1;
    }
    assay_mem_free(dict->slot);
    dict->slot = slot;
    dict->n_slots = n_slots;
    return true;
}

static bool grow_words(assay_dict *dict)
{
    size_t want = dict->cap ? dict->cap * 2 : 16;
    assay_slice *word = assay_mem_resize(dict->word, want, sizeof *word);
    uint64_t *hash;

    if (!word)
        return false;
    dict->word = word;
    hash = assay_mem_resize(dict->hash, want, sizeof *hash);
    if (!hash)
        return false;
    dict->hash = hash;
    dict->cap = want;
    return true;
}

/* The slot that holds `word`, or the free one where it belongs. */
static size_t locate(const assay_dict *dict, assay_slice word, uint64_t hash)
{
    size_t at = hash & (dict->n_slots - 1);

    while (dict->slot[at]) {
        uint32_t i = dict->slot[at] - 1;

        if (dict->hash[i] == hash && assay_slice_eq(dict->word[i], word))
            return at;
        at = (at + 1) & (dict->n_slots - 1);
    }
    return at;
}

bool assay_dict_put(assay_dict *dict, assay_arena *arena, assay_slice word,
                    uint32_t *number, bool *is_new)
{
    return assay_dict_put_hashed(dict, arena, word, assay_hash(word.ptr, word.len),
                                 number, is_new);
}

bool assay_dict_put_hashed(assay_dict *dict, assay_arena *arena, assay_slice word,
                           uint64_t hash, uint32_t *number, bool *is_new)
{
    size_t at;

    if ((size_t)dict->n * 2 >= dict->n_slots && !grow_slots(dict))
        return false;
    at = locate(dict, word, hash);
    if (is_new)
        *is_new = dict->slot[at] == 0;
    if (dict->slot[at]) {
        *number = dict->slot[at] - 1;
        return true;
    }
    /* Numbers end before ASSAY_NONE. */
    if (dict->n == ASSAY_NONE - 1 || (dict->n == dict->cap && !grow_words(dict)))
        return false;
    if (arena) {
        word = assay_arena_copy(arena, word);
        if (!word.ptr)
            return false;
    }
    dict->word[dict->n] = word;
    dict->hash[dict->n] = hash;
    dict->slot[at] = ++dict->n;
    *number = dict->n - 1;
    return true;
}

uint32_t assay_dict_find(const assay_dict *dict, assay_slice word)
{
    size_t at;

    if (!dict->n_slots)
        return ASSAY_NONE;
    at = locate(dict, word, assay_hash(word.ptr, word.len));
    return dict->slot[at] ? dict->slot[at] - 1 : ASSAY_NONE;
}

void assay_dict_clear(assay_dict *dict)
{
    assay_mem_free(dict->word);
    assay_mem_free(dict->hash);
    assay_mem_free(dict->slot);
    *dict = (assay_dict){0};
}
