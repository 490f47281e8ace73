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

#include "base/error.h"
#include "base/mem.h"
#include "index/bm25_leg.h"

typedef assay_bm25_leg leg;

enum {
    WINDOW = ASSAY_BM25_WINDOW,
    SCALE = 60000,    /* what the bounds of all terms together come to */
    LEGS_MOST = 4096, /* beyond, 16 bits are not enough for the bounds */
    FEW = 256,        /* postings in a window that are noted one by one */
    SAMPLE = 1024,    /* postings looked at for a first guess of the k-th score */
    SPREAD = 8,       /* a look-up costs as much as adding so many postings */
    BATCH = 48,       /* candidates that are scored before the bar is set anew */
    BINS = 256,       /* of sums, to find the best candidates */
    BIN_SHIFT = 8
};

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

static void open_leg(const assay_bm25 *b, const assay_bm25_term *t, leg *l)
{
    const assay_postings *p = b->postings;

    l->block = b->block + p->block_at[t->term];
    l->first = p->post_at[t->term];
    l->delta = p->delta + l->first;
    l->code = b->code + l->first;
    l->df = assay_postings_df(p, t->term);
    l->n_blocks = (uint32_t)(p->block_at[t->term + 1] - p->block_at[t->term]);
    l->weight = t->weight;
    l->to = l->n_blocks;
}

static double highest(const assay_bm25 *b, const leg *l)
{
    uint8_t most = 0;

    for (uint32_t i = 0; i < l->n_blocks; i++)
        most = l->block[i].most > most ? l->block[i].most : most;
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

/* A score that at least k documents reach by this term alone: each block has one document
 * with its highest code, and any postings will do. */
static double first_guess(const finder *f, const leg *l)
{
    uint32_t count[2][ASSAY_BM25_CODES] = {{0}};
    uint32_t most = f->k > SAMPLE / 2 ? f->k * 2 : SAMPLE;
    bool has_blocks = l->n_blocks >= f->k && l->df > most;
    uint32_t n = has_blocks ? l->n_blocks : l->df < most ? l->df : most;
    uint32_t sum = 0;
    size_t c = ASSAY_BM25_CODES;

    if (n < f->k)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        count[i & 1][has_blocks ? l->block[i].most : l->code[i]]++;
    while (sum < f->k) {
        c--;
        sum += count[0][c] + count[1][c];
    }
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

/* ---- terms that were set aside ---- */

/* Ask a term that was set aside about found[0..n), one by one; returns how many can still
 * be good enough, when all others together add no more than `rest`. */
static uint32_t ask_each(finder *f, const leg *l, uint32_t rest, uint32_t n)
{
    uint32_t *found = f->s->found;
    uint32_t block = l->from;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = found[i] & 0xFFFF;
        uint32_t sum = found[i] >> 16;

        if (assay_leg_block(l, f->first + place, &block)) {
            uint32_t at;

            if ((int64_t)sum + l->part[l->block[block].most] + rest <= f->bar)
                continue;
            at = assay_leg_posting(l, &l->block[block], f->first + place);
            sum += at < l->df ? l->part[l->code[at]] : 0;
        }
        found[kept] = sum << 16 | place;
        kept += (int64_t)sum + rest > f->bar;
    }
    return kept;
}

/* The same by adding all its postings in the window. */
static uint32_t ask_all(finder *f, const leg *l, uint32_t rest, uint32_t n)
{
    uint32_t *found = f->s->found;
    uint16_t *sum = f->s->sum;
    uint32_t kept = 0;

    /* What was asked one by one has its sum only in found[]. */
    for (uint32_t i = 0; i < n; i++)
        sum[found[i] & 0xFFFF] = (uint16_t)(found[i] >> 16);
    assay_leg_add(l, f->first, sum);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = found[i] & 0xFFFF;

        found[kept] = (uint32_t)sum[place] << 16 | place;
        kept += (int64_t)sum[place] + rest > f->bar;
    }
    return kept;
}

/* ---- scoring ---- */

/* Score chosen[0..n), ascending, and offer them. */
static void score(finder *f, uint32_t n)
{
    const assay_bm25 *b = f->s->bm25;
    const uint32_t *chosen = f->s->chosen;
    double *exact = f->s->exact;

    memset(exact, 0, n * sizeof *exact);
    for (uint32_t j = 0; j < f->n_order; j++) {
        const leg *l = f->order[j];
        uint32_t block = l->from;

        for (uint32_t i = 0; i < n; i++) {
            uint32_t doc = f->first + chosen[i];
            uint32_t at;
            uint8_t code;
            double value;

            if (!assay_leg_block(l, doc, &block))
                continue;
            at = assay_leg_posting(l, &l->block[block], doc);
            if (at == l->df)
                continue;
            code = l->code[at];
            /* Where a code stands for one value of f, that is it. */
            value = b->f_high[code];
            if (value != b->f_low[code])
                value = assay_bm25_f(b, l->first + at, doc);
            exact[i] += assay_bm25_round(l->weight * value);
        }
    }
    for (uint32_t i = 0; i < n; i++)
        assay_bm25_offer(f->s->heap, f->k, &f->n,
                         (assay_bm25_hit){f->first + chosen[i], exact[i]});
    set_bar(f);
}

/* A sum such that about `want` of found[0..n) have at least as much. */
static uint32_t cut_for(const uint32_t *found, uint32_t n, uint32_t want)
{
    uint32_t count[BINS] = {0};
    uint32_t sum = 0;
    uint32_t bin = BINS;

    for (uint32_t i = 0; i < n; i++)
        count[found[i] >> 16 >> BIN_SHIFT]++;
    while (bin > 0 && sum < want)
        sum += count[--bin];
    return bin << BIN_SHIFT;
}

/* Score what was found: the most promising first, then what can still be good enough. */
static void take(finder *f, uint32_t n)
{
    uint32_t *found = f->s->found;

    while (n) {
        uint32_t want = f->n < f->k && f->k - f->n > BATCH ? f->k - f->n : BATCH;
        uint32_t cut = n > want + want / 2 ? cut_for(found, n, want) : 0;
        uint32_t n_chosen = 0;
        uint32_t n_left = 0;

        for (uint32_t i = 0; i < n; i++) {
            uint32_t sum = found[i] >> 16;

            if ((int64_t)sum <= f->bar)
                continue;
            if (sum >= cut)
                f->s->chosen[n_chosen++] = found[i] & 0xFFFF;
            else
                found[n_left++] = found[i];
        }
        if (n_chosen)
            score(f, n_chosen);
        n = n_left;
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

        assay_leg_enter(l, f->first);
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

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a & 0xFFFF;
    uint32_t y = *(const uint32_t *)b & 0xFFFF;

    return (x > y) - (x < y);
}

/* Add up the legs from n_aside on, where they have few postings in the window: what could
 * be good enough is in found[0..return), and sum[] is zeros again. */
static uint32_t gather_few(finder *f, uint32_t n_aside, uint32_t rest)
{
    assay_bm25_search *s = f->s;
    uint32_t n = 0;
    uint32_t kept = 0;

    for (uint32_t i = n_aside; i < f->n_order; i++)
        n = assay_leg_note(f->order[i], f->first, s->sum, s->found, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = s->found[i];
        uint32_t sum = s->sum[place];

        s->sum[place] = 0;
        s->found[kept] = sum << 16 | place;
        kept += (int64_t)sum + rest > f->bar;
    }
    if (n_aside + 1 < f->n_order)
        qsort(s->found, kept, sizeof *s->found, ascending);
    return kept;
}

static void search_window(finder *f)
{
    assay_bm25_search *s = f->s;
    uint32_t rest = 0;
    uint32_t n_aside = 0;
    uint32_t n_postings = 0;
    bool is_clean;
    uint32_t n;

    if (arrange(f) <= f->bar)
        return;
    while (n_aside < f->n_order && rest + f->order[n_aside]->bound <= f->bar)
        rest += f->order[n_aside++]->bound;
    for (uint32_t i = n_aside; i < f->n_order; i++)
        n_postings += f->order[i]->n;
    is_clean = n_postings <= FEW;
    if (is_clean) {
        n = gather_few(f, n_aside, rest);
    } else {
        for (uint32_t i = n_aside; i < f->n_order; i++)
            assay_leg_add(f->order[i], f->first, s->sum);
        n = assay_leg_scan(s->sum, f->bar > rest ? (uint32_t)(f->bar - rest) : 0,
                           s->found);
    }
    while (n_aside-- > 0 && n) {
        const leg *l = f->order[n_aside];

        rest -= l->bound;
        if (n < l->n / SPREAD) {
            n = ask_each(f, l, rest, n);
        } else {
            n = ask_all(f, l, rest, n);
            is_clean = false;
        }
    }
    take(f, n);
    if (!is_clean)
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
