/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/named_cuts.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/slice.h"

static const char doing[] = "looking for the chunkings of a golden set";

static int by_bytes(const void *a, const void *b)
{
    return assay_slice_cmp(*(const assay_slice *)a, *(const assay_slice *)b);
}

assay_status assay_golden_chunkings(const assay_golden *golden, assay_corpus *corpus,
                                    assay_arena *arena, assay_slice **out, size_t *n,
                                    assay_error *err)
{
    uint32_t n_ids = golden->chunks.n;
    assay_chunk_place *place = ASSAY_ARENA_ARRAY(arena, assay_chunk_place, n_ids);
    assay_slice *list = ASSAY_ARENA_ARRAY(arena, assay_slice, (size_t)n_ids + 1);
    size_t used = 0;
    assay_status st = ASSAY_OK;

    if (!list || !place)
        return assay_fail_memory(err, doing);
    if (n_ids)
        st = assay_corpus_places(corpus, golden->chunks.word, n_ids, arena, place, err);
    if (st)
        return st;
    for (uint32_t i = 0; i < n_ids; i++)
        if (place[i].is_there)
            list[used++] = place[i].chunking;
    if (used)
        qsort(list, used, sizeof *list, by_bytes);
    *n = 0;
    for (size_t i = 0; i < used; i++)
        if (!*n || !assay_slice_eq(list[*n - 1], list[i]))
            list[(*n)++] = list[i];
    *out = list;
    return ASSAY_OK;
}

/* What is held against what should be. */
typedef struct held {
    assay_slice who;
    const assay_slice *chunking;
    size_t n;
    size_t n_seen;
    bool is_same;
} held;

static assay_status compare_pin(void *ctx, assay_slice chunking, assay_slice who,
                                assay_error *err)
{
    held *h = ctx;

    (void)err;
    if (!assay_slice_eq(who, h->who))
        return ASSAY_OK;
    if (h->n_seen == h->n || !assay_slice_eq(h->chunking[h->n_seen], chunking))
        h->is_same = false;
    else
        h->n_seen++;
    return ASSAY_OK;
}

assay_status assay_golden_pin(const assay_golden *golden, const char *path,
                              assay_slice who, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    held h = {.who = who, .is_same = true};
    assay_slice *chunking = NULL;
    assay_corpus *corpus = NULL;
    assay_status st = assay_corpus_open(path, ASSAY_CORPUS_READ, &corpus, err);

    if (!st)
        st = assay_golden_chunkings(golden, corpus, &arena, &chunking, &h.n, err);
    h.chunking = chunking;
    if (!st)
        st = assay_corpus_each_pin(corpus, compare_pin, &h, err);
    assay_corpus_close(corpus);
    corpus = NULL;
    if (!st && (!h.is_same || h.n_seen < h.n)) {
        st = assay_corpus_open(path, ASSAY_CORPUS_WRITE, &corpus, err);
        if (!st)
            st = assay_corpus_repin(corpus, who, chunking, h.n, err);
        assay_corpus_close(corpus);
    }
    assay_arena_clear(&arena);
    return st;
}
