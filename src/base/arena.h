/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is freed all at once.  Each loaded noun owns one arena. */
#ifndef ASSAY_BASE_ARENA_H
#define ASSAY_BASE_ARENA_H

#include "assay.h"

typedef struct assay_arena_block assay_arena_block;

/* Zero-initialised is empty and ready. */
typedef struct assay_arena {
    assay_arena_block *head;  /* the block being filled; older ones hang behind it */
    char *next;               /* first free byte of head */
    size_t left;              /* free bytes in head */
    size_t total;             /* bytes of all blocks in use */
    assay_arena_block *spare; /* blocks of earlier contents, to be filled again */
} assay_arena;

#define ASSAY_ARENA_EMPTY      \
    {                          \
        NULL, NULL, 0, 0, NULL \
    }

/* `size` bytes aligned for anything, or null. */
void *assay_arena_alloc(assay_arena *arena, size_t size);

/* `count` zeroed elements of `size` bytes, or null. */
void *assay_arena_zero(assay_arena *arena, size_t count, size_t size);

/* A copy of `s` that lives in the arena and is followed by a zero byte.  A null ptr in
 * the result means no memory; an empty slice gives an empty, non-null one. */
assay_slice assay_arena_copy(assay_arena *arena, assay_slice s);

/* The same as a C string. */
char *assay_arena_string(assay_arena *arena, assay_slice s);

/* Move all blocks of `from` into `into`; `from` is empty afterwards. */
void assay_arena_take(assay_arena *into, assay_arena *from);

/* Forget the contents but keep one block for what comes next. */
void assay_arena_reset(assay_arena *arena);

/* Forget the contents but keep all blocks: for large things that come one after the other,
 * where giving pages back to the system and getting them again takes longer than the work. */
void assay_arena_recycle(assay_arena *arena);

void assay_arena_clear(assay_arena *arena);

#define ASSAY_ARENA_ARRAY(arena, type, n) \
    ((type *)assay_arena_zero((arena), (n), sizeof(type)))

#endif
