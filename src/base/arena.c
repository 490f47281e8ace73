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

/* A block of earlier contents that is large enough, taken from the list; or null. */
static assay_arena_block *take_spare(assay_arena *arena, size_t size)
{
    assay_arena_block **at = &arena->spare;
    assay_arena_block *block;

    while (*at && (*at)->size < size)
        at = &(*at)->older;
    block = *at;
    if (block)
        *at = block->older;
    return block;
}

static int add_block(assay_arena *arena, size_t size)
{
    size_t step = arena->head ? arena->head->size * 2 : FIRST_BLOCK;
    assay_arena_block *block;

    if (step > LARGEST_STEP)
        step = LARGEST_STEP;
    if (size > SIZE_MAX - sizeof *block)
        return 0;
    block = take_spare(arena, size);
    if (!block) {
        if (size < step)
            size = step;
        block = assay_mem_alloc(sizeof *block + size);
        if (!block)
            return 0;
        block->size = size;
    }
    block->older = arena->head;
    arena->head = block;
    arena->next = block->bytes;
    arena->left = block->size;
    arena->total += block->size;
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

static assay_arena_block *last_of(assay_arena_block *block)
{
    while (block->older)
        block = block->older;
    return block;
}

void assay_arena_take(assay_arena *into, assay_arena *from)
{
    if (from->spare) {
        last_of(from->spare)->older = into->spare;
        into->spare = from->spare;
    }
    if (from->head && into->head) {
        /* Behind the head, so that `into` goes on filling its own block. */
        last_of(from->head)->older = into->head->older;
        into->head->older = from->head;
    } else if (from->head) {
        into->head = from->head;
        into->next = from->next;
        into->left = from->left;
    }
    into->total += from->total;
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

void assay_arena_recycle(assay_arena *arena)
{
    assay_arena_block *spare = arena->spare;

    if (arena->head) {
        last_of(arena->head)->older = spare;
        spare = arena->head;
    }
    *arena = (assay_arena)ASSAY_ARENA_EMPTY;
    arena->spare = spare;
}

static void free_blocks(assay_arena_block *block)
{
    while (block) {
        assay_arena_block *older = block->older;

        assay_mem_free(block);
        block = older;
    }
}

void assay_arena_clear(assay_arena *arena)
{
    free_blocks(arena->head);
    free_blocks(arena->spare);
    *arena = (assay_arena)ASSAY_ARENA_EMPTY;
}
