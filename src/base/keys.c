/* SPDX-License-Identifier: Apache-2.0 */
/* One table serves all large maps that are open: a key's hash is salted with the number
 * of its map's first key.  Maps close in the reverse order of their opening, so what
 * was put in last goes out first, and with linear probing its slot can just be freed. */
#include "base/keys.h"

#include <string.h>

#include "base/dict.h"
#include "base/mem.h"

enum { FIRST_SLOTS = 256 };

static uint64_t salted_hash(size_t first, assay_slice name)
{
    uint64_t hash = assay_hash(name.ptr, name.len);

    hash ^= ((uint64_t)first * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    return hash | UINT64_C(1) << 63;
}

static void insert(assay_keys *keys, size_t number)
{
    size_t at = keys->key[number].hash & (keys->n_slots - 1);

    while (keys->slot[at])
        at = (at + 1) & (keys->n_slots - 1);
    keys->slot[at] = (uint32_t)number + 1;
    keys->n_hashed++;
}

/* Make the table twice as large.  Inserting by number keeps the order in which keys
 * came, which dropping relies on. */
static bool grow_slots(assay_keys *keys)
{
    size_t n_slots = keys->n_slots ? keys->n_slots * 2 : FIRST_SLOTS;
    uint32_t *slot = ASSAY_NEW_ARRAY(uint32_t, n_slots);

    if (!slot)
        return false;
    assay_mem_free(keys->slot);
    keys->slot = slot;
    keys->n_slots = n_slots;
    keys->n_hashed = 0;
    for (size_t i = 0; i < keys->n; i++)
        if (keys->key[i].hash)
            insert(keys, i);
    return true;
}

/* Whether the map at `first` has the name; its keys are in the table. */
static bool find(const assay_keys *keys, size_t first, const assay_key *key,
                 uint64_t *earlier)
{
    size_t at = key->hash & (keys->n_slots - 1);

    for (; keys->slot[at]; at = (at + 1) & (keys->n_slots - 1)) {
        size_t i = keys->slot[at] - 1;

        if (i >= first && keys->key[i].hash == key->hash &&
            assay_slice_eq(keys->key[i].name, key->name)) {
            *earlier = keys->key[i].place;
            return true;
        }
    }
    return false;
}

/* Put the keys of a map that has just become large into the table. */
static bool hash_all(assay_keys *keys, size_t first)
{
    if (keys->key[first].hash)
        return true;
    while ((keys->n_hashed + ASSAY_KEYS_SMALL) * 2 > keys->n_slots)
        if (!grow_slots(keys))
            return false;
    for (size_t i = first; i < keys->n; i++) {
        keys->key[i].hash = salted_hash(first, keys->key[i].name);
        insert(keys, i);
    }
    return true;
}

assay_keys_result assay_keys_add_slow(assay_keys *keys, size_t first, assay_key key,
                                      uint64_t *earlier)
{
    assay_key *moved = assay_mem_grow(keys->key, &keys->cap, keys->n + 1, sizeof *moved);

    if (!moved || keys->n >= UINT32_MAX - 1)
        return ASSAY_KEYS_NO_MEMORY;
    keys->key = moved;
    if (keys->n - first < ASSAY_KEYS_SMALL)
        return assay_keys_add(keys, first, key, earlier);
    if (keys->n - first == ASSAY_KEYS_SMALL && !hash_all(keys, first))
        return ASSAY_KEYS_NO_MEMORY;
    if (keys->n_hashed * 2 >= keys->n_slots && !grow_slots(keys))
        return ASSAY_KEYS_NO_MEMORY;
    key.hash = salted_hash(first, key.name);
    if (find(keys, first, &key, earlier))
        return ASSAY_KEYS_TWICE;
    keys->key[keys->n] = key;
    insert(keys, keys->n++);
    return ASSAY_KEYS_NEW;
}

void assay_keys_drop_slow(assay_keys *keys, size_t first)
{
    for (size_t i = keys->n; i-- > first;) {
        size_t at = keys->key[i].hash & (keys->n_slots - 1);

        while (keys->slot[at] != (uint32_t)i + 1)
            at = (at + 1) & (keys->n_slots - 1);
        keys->slot[at] = 0;
        keys->n_hashed--;
    }
}

void assay_keys_reset(assay_keys *keys)
{
    if (keys->n_hashed)
        memset(keys->slot, 0, keys->n_slots * sizeof *keys->slot);
    keys->n_hashed = 0;
    keys->n = 0;
}

void assay_keys_clear(assay_keys *keys)
{
    assay_mem_free(keys->key);
    assay_mem_free(keys->slot);
    *keys = (assay_keys){0};
}
