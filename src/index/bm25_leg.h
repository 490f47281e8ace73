/* SPDX-License-Identifier: Apache-2.0 */
/* A query's term in a window of documents: for bm25_top.c, where all the time goes. */
#ifndef ASSAY_INDEX_BM25_LEG_H
#define ASSAY_INDEX_BM25_LEG_H

#include "base/compiler.h"
#include "index/bm25_inside.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef struct assay_bm25_leg {
    const assay_bm25_block *block;
    const uint16_t *delta;
    const uint8_t *code;
    uint64_t first; /* posting of the index */
    double weight;
    uint32_t df;
    uint32_t n_blocks;
    uint32_t from; /* blocks [from, to) may have documents of the window */
    uint32_t to;
    uint32_t n;     /* postings in these blocks */
    uint32_t bound; /* highest bound in the window; 0 = none there */
    uint16_t part[ASSAY_BM25_CODES];
} assay_bm25_leg;

/* The blocks of a leg that reach into the window, and the highest bound there. */
static inline void assay_leg_enter(assay_bm25_leg *l, uint32_t first)
{
    uint32_t i = l->to;
    uint8_t most = 0;

    while (i > 0 && l->block[i - 1].doc >= first + ASSAY_BM25_WINDOW)
        i--;
    l->to = i;
    for (; i > 0 && l->block[i - 1].doc + l->block[i - 1].last >= first; i--)
        most = l->block[i - 1].most > most ? l->block[i - 1].most : most;
    l->from = i;
    l->n = 0;
    l->bound = 0;
    if (i == l->to)
        return;
    l->n = l->block[l->to - 1].pos + l->block[l->to - 1].n + 1 - l->block[i].pos;
    l->bound = l->part[most];
}

/* Add the bounds of a block that lies in the window only in part. */
static inline void assay_leg_add_edge(const assay_bm25_leg *l, const assay_bm25_block *b,
                                      uint32_t first, uint16_t *sum)
{
    for (uint32_t i = b->pos; i <= b->pos + b->n; i++) {
        uint32_t place = b->doc + l->delta[i] - first;

        if (place < ASSAY_BM25_WINDOW)
            sum[place] = (uint16_t)(sum[place] + l->part[l->code[i]]);
    }
}

/* Add the bounds of all the leg's postings in the window. */
static inline void assay_leg_add(const assay_bm25_leg *l, uint32_t first, uint16_t *sum)
{
    for (uint32_t k = l->from; k < l->to; k++) {
        const assay_bm25_block *b = &l->block[k];
        const uint16_t *delta = l->delta + b->pos;
        const uint8_t *code = l->code + b->pos;
        uint32_t place = b->doc - first;
        uint16_t *to = sum + place;

        if (place >= ASSAY_BM25_WINDOW || place + b->last >= ASSAY_BM25_WINDOW) {
            assay_leg_add_edge(l, b, first, sum);
            continue;
        }
        for (uint32_t i = 0; i <= b->n; i++)
            to[delta[i]] = (uint16_t)(to[delta[i]] + l->part[code[i]]);
    }
}

/* The same, noting each document once; for few postings.  Returns how many. */
static inline uint32_t assay_leg_note(const assay_bm25_leg *l, uint32_t first,
                                      uint16_t *sum, uint32_t *found, uint32_t n)
{
    for (uint32_t k = l->from; k < l->to; k++) {
        const assay_bm25_block *b = &l->block[k];

        for (uint32_t i = b->pos; i <= b->pos + b->n; i++) {
            uint32_t place = b->doc + l->delta[i] - first;

            if (place >= ASSAY_BM25_WINDOW)
                continue;
            if (!sum[place])
                found[n++] = place;
            sum[place] = (uint16_t)(sum[place] + l->part[l->code[i]]);
        }
    }
    return n;
}

/* Places whose sum exceeds `least`, ascending, with their sums. */
static inline uint32_t assay_leg_scan(const uint16_t *sum, uint32_t least,
                                      uint32_t *found)
{
    uint32_t n = 0;
    uint32_t i = 0;

#if defined(__SSE2__)
    const __m128i low = _mm_set1_epi16((short)(uint16_t)least);
    const __m128i zero = _mm_setzero_si128();

    for (; i < ASSAY_BM25_WINDOW; i += 16) {
        __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(sum + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(sum + i + 8));
        __m128i is_a = _mm_cmpeq_epi16(_mm_subs_epu16(a, low), zero);
        __m128i is_b = _mm_cmpeq_epi16(_mm_subs_epu16(b, low), zero);
        unsigned bits =
            0xFFFFU ^ (unsigned)_mm_movemask_epi8(_mm_packs_epi16(is_a, is_b));

        for (; bits; bits &= bits - 1) {
            uint32_t place = i + ASSAY_TRAILING_ZEROS(bits);

            found[n++] = (uint32_t)sum[place] << 16 | place;
        }
    }
#else
    for (; i < ASSAY_BM25_WINDOW; i++)
        if (sum[i] > least)
            found[n++] = (uint32_t)sum[i] << 16 | i;
#endif
    return n;
}

/* The block that `doc` would be in; *at is where to begin, and ascends with `doc`.  False:
 * there is none. */
static inline bool assay_leg_block(const assay_bm25_leg *l, uint32_t doc, uint32_t *at)
{
    uint32_t k = *at;

    while (k + 1 < l->to && l->block[k + 1].doc <= doc)
        k++;
    *at = k;
    return l->block[k].doc <= doc && doc <= l->block[k].doc + l->block[k].last;
}

/* The posting of `doc` in block b, counted in the term; df where it is not. */
static inline uint32_t assay_leg_posting(const assay_bm25_leg *l,
                                         const assay_bm25_block *b, uint32_t doc)
{
    const uint16_t *delta = l->delta + b->pos;
    uint32_t n = (uint32_t)b->n + 1;
    uint32_t i = 0;

    doc -= b->doc;
    /* Halve without a branch: the last one that is not above `doc`. */
    while (n > 1) {
        uint32_t half = n / 2;

        i = delta[i + half] <= doc ? i + half : i;
        n -= half;
    }
    return delta[i] == doc ? b->pos + i : l->df;
}

#endif
