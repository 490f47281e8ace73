/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <string.h>

#include "base/mem.h"

enum { FIRST_BLOCK = 4096, LARGEST_STEP = 1 << 20, ALIGNMENT = 16 };

struct assay_arena_block {
    assay_arena_block *older;
    size_t size; /* usable bytes */
    _Alignas(ALIGNMENT) char bytes[];
};

static int add_block(assay_arena *arena, size_t size)
{
    size_t step = arena->head ? arena->head->size * 2 : FIRST_BLOCK;
    assay_arena_block *block;

    if (step > LARGEST_STEP)
        step = LARGEST_STEP;
    if (size < step)
        size = step;
    if (size > SIZE_MAX - sizeof *block)
        return 0;
    block = assay_mem_alloc(sizeof *block + size);
    if (!block)
        return 0;
    block->size = size;
    block->older = arena->head;
    arena->head = block;
    arena->next = block->bytes;
    arena->left = size;
    arena->total += size;
    return 1;
}

void *assay_arena_alloc(assay_arena *arena, size_t size)
{
    void *out;

    if (size > SIZE_MAX - ALIGNMENT)
        return NULL;
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (size == 0)
        size = ALIGNMENT;
    if (size > arena->left && !add_block(arena, size))
        return NULL;
    out = arena->next;
    arena->next += size;
    arena->left -= size;
    return out;
}

void *assay_arena_zero(assay_arena *arena, size_t count, size_t size)
{
    void *out;

    if (size && count > SIZE_MAX / size)
        return NULL;
    out = assay_arena_alloc(arena, count * size);
    if (out)
        memset(out, 0, count * size);
    return out;
}

char *assay_arena_string(assay_arena *arena, assay_slice s)
{
    char *out = s.len < SIZE_MAX ? assay_arena_alloc(arena, s.len + 1) : NULL;

    if (!out)
        return NULL;
    if (s.len)
        memcpy(out, s.ptr, s.len);
    out[s.len] = '\0';
    return out;
}

assay_slice assay_arena_copy(assay_arena *arena, assay_slice s)
{
    assay_slice copy = {assay_arena_string(arena, s), s.len};

    if (!copy.ptr)
        copy.len = 0;
    return copy;
}

void assay_arena_take(assay_arena *into, assay_arena *from)
{
    assay_arena_block *last = from->head;

    if (!last)
        return;
    if (!into->head) {
        *into = *from;
    } else {
        /* Behind the head, so that `into` goes on filling its own block. */
        while (last->older)
            last = last->older;
        last->older = into->head->older;
        into->head->older = from->head;
        into->total += from->total;
    }
    *from = (assay_arena)ASSAY_ARENA_EMPTY;
}

void assay_arena_reset(assay_arena *arena)
{
    assay_arena_block *keep = arena->head;

    if (!keep)
        return;
    while (keep->older) {
        assay_arena_block *older = keep->older->older;

        assay_mem_free(keep->older);
        keep->older = older;
    }
    arena->next = keep->bytes;
    arena->left = keep->size;
    arena->total = keep->size;
}

void assay_arena_clear(assay_arena *arena)
{
    while (arena->head) {
        assay_arena_block *older = arena->head->older;

        assay_mem_free(arena->head);
        arena->head = older;
    }
    *arena = (assay_arena)ASSAY_ARENA_EMPTY;
}
