/* SPDX-License-Identifier: Apache-2.0 */
/* The exact best k, without scoring most postings.
 *
 * Documents are looked at in windows, from the last to the first.  In a window each term
 * has a bound, the highest of its blocks there.  Terms with the smallest bounds, as many
 * as cannot lift a document over the k-th best score even together, are set aside
 * (MaxScore); when that is all of them, the window is skipped.  The bounds of the other
 * terms' postings, whole numbers of 16 bits, are added up in an array; what could still be
 * good enough with the terms set aside is asked for those too, and what is left is scored
 * exactly.  Bounds are never below the score, so nothing is missed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "index/bm25_inside.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    WINDOW = ASSAY_BM25_WINDOW,
    SCALE = 60000,    /* what the bounds of all terms together come to */
    LEGS_MOST = 4096, /* beyond, 16 bits are not enough for the bounds */
    FEW = 256,        /* postings in a window that are noted one by one */
    SAMPLE = 4096,    /* postings looked at for a first guess of the k-th score */
    SPREAD = 16       /* a look-up costs as much as adding so many postings */
};

typedef struct assay_bm25_leg {
    const uint32_t *block_doc;
    const uint32_t *block_pos;
    const uint8_t *block_max;
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
} leg;

typedef struct finder {
    assay_bm25_search *s;
    leg **order; /* by bound in the window, ascending; those with 0 left out */
    uint32_t n_order;
    uint32_t k;
    uint32_t n; /* hits in the heap */
    double scale;
    double floor;   /* k scores are known to be as high */
    int64_t bar;    /* what a sum of bounds must exceed */
    uint32_t first; /* of the window */
} finder;

/* ---- setting up ---- */

static uint32_t block_end(const leg *l, uint32_t block)
{
    return block + 1 < l->n_blocks ? l->block_pos[block + 1] : l->df;
}

static void open_leg(const assay_bm25 *b, const assay_bm25_term *t, leg *l)
{
    const assay_postings *p = b->postings;
    uint64_t block = p->block_at[t->term];

    l->block_doc = p->block_doc + block;
    l->block_pos = p->block_pos + block;
    l->block_max = b->block_max + block;
    l->first = p->post_at[t->term];
    l->delta = p->delta + l->first;
    l->code = b->code + l->first;
    l->df = assay_postings_df(p, t->term);
    l->n_blocks = (uint32_t)(p->block_at[t->term + 1] - block);
    l->weight = t->weight;
    l->to = l->n_blocks;
}

static double highest(const assay_bm25 *b, const leg *l)
{
    uint8_t most = 0;

    for (uint32_t i = 0; i < l->n_blocks; i++)
        most = l->block_max[i] > most ? l->block_max[i] : most;
    return l->weight > 0 ? l->weight * b->f_high[most] : 0;
}

/* The bounds as whole numbers; at least 1, so that what matches is seen. */
static void set_parts(const assay_bm25 *b, leg *l, double scale)
{
    for (size_t c = 0; c < ASSAY_BM25_CODES; c++) {
        double part = assay_bm25_round(l->weight * b->f_high[c]) * scale;

        if (part < 0)
            part = 0;
        l->part[c] = part < SCALE ? (uint16_t)(part + 1) : SCALE + 1;
    }
}

/* A score that at least k documents reach by this term alone. */
static double first_guess(const finder *f, const leg *l)
{
    uint32_t count[ASSAY_BM25_CODES] = {0};
    uint32_t most = f->k > SAMPLE / 4 ? f->k * 4 : SAMPLE;
    bool has_blocks = l->n_blocks >= f->k && l->df > most;
    const uint8_t *code = has_blocks ? l->block_max : l->code;
    uint32_t n = has_blocks ? l->n_blocks : l->df < most ? l->df : most;
    uint32_t sum = 0;
    size_t c = ASSAY_BM25_CODES;

    if (n < f->k)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        count[code[i]]++;
    while (sum < f->k)
        sum += count[--c];
    return assay_bm25_round(l->weight * f->s->bm25->f_low[c]);
}

static void set_bar(finder *f)
{
    double least = f->floor;

    if (f->n == f->k && f->s->heap[0].score > least)
        least = f->s->heap[0].score;
    least = floor(least * f->scale * (1 - 1e-12)) - 1;
    f->bar = least > 0 ? (int64_t)least : 0;
}

/* ---- a window ---- */

/* The blocks of a leg that reach into the window, and the highest bound there. */
static void enter(leg *l, uint32_t first)
{
    uint32_t i = l->to;
    uint32_t last_n;
    uint8_t most = 0;

    while (i > 0 && l->block_doc[i - 1] >= first + WINDOW)
        i--;
    l->to = i;
    while (i > 0 && l->block_doc[i - 1] > first) {
        i--;
        most = l->block_max[i] > most ? l->block_max[i] : most;
    }
    if (i > 0) {
        last_n = block_end(l, i - 1);
        if (l->block_doc[i - 1] + l->delta[last_n - 1] >= first) {
            i--;
            most = l->block_max[i] > most ? l->block_max[i] : most;
        }
    }
    l->from = i;
    l->n = i < l->to ? block_end(l, l->to - 1) - l->block_pos[i] : 0;
    l->bound = i < l->to ? l->part[most] : 0;
}

/* Add the bounds of a block that lies in the window only in part. */
static void add_edge(const leg *l, uint32_t block, uint32_t first, uint16_t *sum)
{
    uint32_t end = block_end(l, block);

    for (uint32_t i = l->block_pos[block]; i < end; i++) {
        uint32_t place = l->block_doc[block] + l->delta[i] - first;

        if (place < WINDOW)
            sum[place] = (uint16_t)(sum[place] + l->part[l->code[i]]);
    }
}

/* Add the bounds of all the leg's postings in the window. */
static void add_leg(const leg *l, uint32_t first, uint16_t *sum)
{
    for (uint32_t b = l->from; b < l->to; b++) {
        uint32_t i = l->block_pos[b];
        uint32_t end = block_end(l, b);
        uint32_t place = l->block_doc[b] - first;
        uint16_t *to = sum + place;

        if (place >= WINDOW || place + l->delta[end - 1] >= WINDOW) {
            add_edge(l, b, first, sum);
            continue;
        }
        for (; i < end; i++)
            to[l->delta[i]] = (uint16_t)(to[l->delta[i]] + l->part[l->code[i]]);
    }
}

/* The same, noting each document once; for few postings.  Returns how many. */
static uint32_t note_leg(const leg *l, uint32_t first, uint16_t *sum, uint32_t *found,
                         uint32_t n)
{
    uint32_t i = l->block_pos[l->from];

    for (uint32_t b = l->from; b < l->to; b++) {
        uint32_t end = block_end(l, b);

        for (; i < end; i++) {
            uint32_t place = l->block_doc[b] + l->delta[i] - first;

            if (place >= WINDOW)
                continue;
            if (!sum[place])
                found[n++] = place;
            sum[place] = (uint16_t)(sum[place] + l->part[l->code[i]]);
        }
    }
    return n;
}

/* Places whose sum exceeds `least`, with their sums. */
static uint32_t scan(const uint16_t *sum, uint32_t least, uint32_t *found)
{
    uint32_t n = 0;
    uint32_t i = 0;

#if defined(__SSE2__)
    const __m128i low = _mm_set1_epi16((short)(uint16_t)least);
    const __m128i zero = _mm_setzero_si128();

    for (; i < WINDOW; i += 16) {
        __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(sum + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(sum + i + 8));
        __m128i is_a = _mm_cmpeq_epi16(_mm_subs_epu16(a, low), zero);
        __m128i is_b = _mm_cmpeq_epi16(_mm_subs_epu16(b, low), zero);
        unsigned bits =
            0xFFFFU ^ (unsigned)_mm_movemask_epi8(_mm_packs_epi16(is_a, is_b));

        for (; bits; bits &= bits - 1) {
            uint32_t place = i + (uint32_t)__builtin_ctz(bits);

            found[n++] = (uint32_t)sum[place] << 16 | place;
        }
    }
#else
    for (; i < WINDOW; i++)
        if (sum[i] > least)
            found[n++] = (uint32_t)sum[i] << 16 | i;
#endif
    return n;
}

/* The posting of `doc` in the leg's part of the window, counted in the term; df where it
 * is not. */
static uint32_t look_up(const leg *l, uint32_t doc)
{
    uint32_t low = l->from;
    uint32_t high = l->to;
    uint32_t i;
    uint32_t n;

    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;

        if (l->block_doc[mid] <= doc)
            low = mid;
        else
            high = mid;
    }
    if (high <= low || doc < l->block_doc[low] || doc - l->block_doc[low] > UINT16_MAX)
        return l->df;
    doc -= l->block_doc[low];
    i = l->block_pos[low];
    n = block_end(l, low) - i;
    /* Halve without a branch: the last one that is not above `doc`. */
    while (n > 1) {
        uint32_t half = n / 2;

        i = l->delta[i + half] <= doc ? i + half : i;
        n -= half;
    }
    return l->delta[i] == doc ? i : l->df;
}

/* Ask the terms that were set aside about what was found; returns what is left. */
static uint32_t ask_aside(finder *f, uint32_t n_aside, uint32_t rest, uint32_t n)
{
    assay_bm25_search *s = f->s;

    while (n_aside-- > 0 && n) {
        leg *l = f->order[n_aside];
        bool is_spread = n < l->n / SPREAD;
        uint32_t kept = 0;

        rest -= l->bound;
        if (!is_spread)
            add_leg(l, f->first, s->sum);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t place = s->found[i] & 0xFFFF;
            uint32_t sum = s->found[i] >> 16;
            uint32_t at;

            if (is_spread) {
                at = look_up(l, f->first + place);
                sum += at < l->df ? l->part[l->code[at]] : 0;
            } else {
                sum = s->sum[place];
            }
            if ((int64_t)sum + rest > f->bar)
                s->found[kept++] = sum << 16 | place;
        }
        n = kept;
        /* Sums of who was asked one by one are in found[] only: keep both in step. */
        for (uint32_t i = 0; is_spread && i < n; i++)
            s->sum[s->found[i] & 0xFFFF] = (uint16_t)(s->found[i] >> 16);
    }
    return n;
}

static double score(const finder *f, uint32_t doc)
{
    double sum = 0;

    for (uint32_t i = 0; i < f->n_order; i++) {
        const leg *l = f->order[i];
        uint32_t at = look_up(l, doc);

        if (at < l->df)
            sum += assay_bm25_round(l->weight *
                                    assay_bm25_f(f->s->bm25, l->first + at, doc));
    }
    return sum;
}

static int highest_first(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x < y) - (x > y);
}

/* Score what is left, the most promising first. */
static void take(finder *f, uint32_t n)
{
    const uint32_t *found = f->s->found;

    qsort(f->s->found, n, sizeof *found, highest_first);
    for (uint32_t i = 0; i < n && (int64_t)(found[i] >> 16) > f->bar; i++) {
        uint32_t doc = f->first + (found[i] & 0xFFFF);

        assay_bm25_offer(f->s->heap, f->k, &f->n, (assay_bm25_hit){doc, score(f, doc)});
        if (f->n == f->k)
            set_bar(f);
    }
}

/* Order the legs of the window by their bounds; returns the sum of all. */
static uint32_t arrange(finder *f)
{
    assay_bm25_search *s = f->s;
    uint32_t sum = 0;

    f->n_order = 0;
    for (size_t i = 0; i < s->n_terms; i++) {
        leg *l = &s->leg[i];
        uint32_t j = f->n_order;

        enter(l, f->first);
        if (!l->bound)
            continue;
        sum += l->bound;
        for (; j > 0 && f->order[j - 1]->bound > l->bound; j--)
            f->order[j] = f->order[j - 1];
        f->order[j] = l;
        f->n_order++;
    }
    return sum;
}

static void search_window(finder *f)
{
    assay_bm25_search *s = f->s;
    uint32_t rest = 0;
    uint32_t n_aside = 0;
    uint32_t n_postings = 0;
    uint32_t n = 0;
    bool is_sparse;

    if (arrange(f) <= f->bar)
        return;
    while (n_aside < f->n_order && rest + f->order[n_aside]->bound <= f->bar)
        rest += f->order[n_aside++]->bound;
    for (uint32_t i = n_aside; i < f->n_order; i++)
        n_postings += f->order[i]->n;
    is_sparse = n_postings <= FEW;
    for (uint32_t i = n_aside; i < f->n_order; i++) {
        if (is_sparse)
            n = note_leg(f->order[i], f->first, s->sum, s->found, n);
        else
            add_leg(f->order[i], f->first, s->sum);
    }
    if (is_sparse) {
        uint32_t kept = 0;

        for (uint32_t i = 0; i < n; i++)
            if ((int64_t)s->sum[s->found[i]] + rest > f->bar)
                s->found[kept++] = (uint32_t)s->sum[s->found[i]] << 16 | s->found[i];
            else
                s->sum[s->found[i]] = 0;
        n = kept;
    } else {
        n = scan(s->sum, f->bar > rest ? (uint32_t)(f->bar - rest) : 0, s->found);
    }
    n = ask_aside(f, n_aside, rest, n);
    take(f, n);
    memset(s->sum, 0, WINDOW * sizeof *s->sum);
}

/* ---- all windows ---- */

static bool open_legs(finder *f)
{
    assay_bm25_search *s = f->s;
    leg *moved = assay_mem_grow(s->leg, &s->cap_leg, s->n_terms + 1,
                                sizeof *moved + sizeof(leg *));
    double sum = 0;
    bool has_negative = false;

    if (!moved)
        return false;
    s->leg = moved;
    f->order = (leg **)(void *)(moved + s->cap_leg);
    for (size_t i = 0; i < s->n_terms; i++) {
        open_leg(s->bm25, &s->term[i], &s->leg[i]);
        sum += highest(s->bm25, &s->leg[i]);
        has_negative |= s->leg[i].weight < 0;
    }
    f->scale = sum > 0 ? (SCALE - (double)s->n_terms) / sum : 1;
    for (size_t i = 0; i < s->n_terms; i++) {
        set_parts(s->bm25, &s->leg[i], f->scale);
        if (!has_negative)
            f->floor = fmax(f->floor, first_guess(f, &s->leg[i]));
    }
    return true;
}

assay_status assay_bm25_top(assay_bm25_search *s, const assay_tokens *query, uint32_t k,
                            assay_bm25_hit *hit, uint32_t *n, assay_error *err)
{
    uint32_t n_docs = s->bm25->postings->n_docs;
    finder f = {.s = s, .k = k < n_docs ? k : n_docs};
    uint32_t n_windows = n_docs / WINDOW + (n_docs % WINDOW != 0);

    if (!assay_bm25_room(s, f.k) || !assay_bm25_terms(s, query))
        return assay_fail_memory(err, "searching");
    if (s->n_terms > LEGS_MOST)
        return assay_bm25_top_all(s, query, k, hit, n, err);
    if (f.k && s->n_terms) {
        if (!open_legs(&f))
            return assay_fail_memory(err, "searching");
        set_bar(&f);
        while (n_windows-- > 0) {
            f.first = n_windows * WINDOW;
            search_window(&f);
        }
    }
    assay_bm25_sorted(s->heap, f.n, hit);
    *n = f.n;
    return ASSAY_OK;
}
