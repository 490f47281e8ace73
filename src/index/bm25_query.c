/* SPDX-License-Identifier: Apache-2.0 */
/* Queries: their terms, the hits kept, scoring without skipping, explaining. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "index/bm25_inside.h"

/* ---- scratch ---- */

assay_status assay_bm25_search_new(const assay_bm25 *bm25, assay_bm25_search **out,
                                   assay_error *err)
{
    assay_bm25_search *s = ASSAY_NEW(assay_bm25_search);

    if (s) {
        s->bm25 = bm25;
        s->sum = ASSAY_NEW_ARRAY(uint16_t, ASSAY_BM25_WINDOW);
        s->exact = ASSAY_NEW_ARRAY(double, ASSAY_BM25_WINDOW);
        s->is_there = ASSAY_NEW_ARRAY(uint8_t, ASSAY_BM25_WINDOW);
        s->found = ASSAY_NEW_ARRAY(uint32_t, ASSAY_BM25_WINDOW);
        s->chosen = ASSAY_NEW_ARRAY(uint32_t, ASSAY_BM25_WINDOW);
    }
    if (!s || !s->sum || !s->exact || !s->is_there || !s->found || !s->chosen) {
        assay_bm25_search_free(s);
        return assay_fail_memory(err, "opening an index");
    }
    *out = s;
    return ASSAY_OK;
}

void assay_bm25_search_free(assay_bm25_search *s)
{
    if (!s)
        return;
    assay_mem_free(s->term);
    assay_mem_free(s->heap);
    assay_mem_free(s->part);
    assay_mem_free(s->leg);
    assay_mem_free(s->sum);
    assay_mem_free(s->exact);
    assay_mem_free(s->is_there);
    assay_mem_free(s->found);
    assay_mem_free(s->chosen);
    assay_mem_free(s);
}

bool assay_bm25_room(assay_bm25_search *s, uint32_t k)
{
    assay_bm25_hit *moved =
        assay_mem_grow(s->heap, &s->cap_heap, (size_t)k + 1, sizeof *moved);

    if (moved)
        s->heap = moved;
    return moved != NULL;
}

/* ---- terms ---- */

static int by_term(const void *a, const void *b)
{
    const assay_bm25_term *x = a;
    const assay_bm25_term *y = b;

    return (x->term > y->term) - (x->term < y->term);
}

static double idf_of(const assay_bm25 *b, uint32_t term)
{
    double idf =
        b->variant->idf(b->postings->n_docs, assay_postings_df(b->postings, term));

    if (idf < 0 && b->variant->lifts_negative)
        idf = b->params.epsilon * b->mean_idf;
    return idf;
}

bool assay_bm25_terms(assay_bm25_search *s, const assay_tokens *query)
{
    assay_bm25_term *moved =
        assay_mem_grow(s->term, &s->cap_terms, query->n + 1, sizeof *moved);
    size_t n = 0;

    if (!moved)
        return false;
    s->term = moved;
    for (size_t i = 0; i < query->n; i++) {
        uint32_t term = assay_postings_term(s->bm25->postings, query->item[i]);

        if (term != ASSAY_NONE)
            moved[n++] = (assay_bm25_term){.term = term, .times = 1};
    }
    qsort(moved, n, sizeof *moved, by_term);
    s->n_terms = 0;
    for (size_t i = 0; i < n; i++) {
        if (s->n_terms && moved[s->n_terms - 1].term == moved[i].term)
            moved[s->n_terms - 1].times++;
        else
            moved[s->n_terms++] = moved[i];
    }
    for (size_t i = 0; i < s->n_terms; i++) {
        moved[i].idf = idf_of(s->bm25, moved[i].term);
        moved[i].weight = moved[i].idf * moved[i].times;
    }
    return true;
}

/* ---- the heap: hit 0 is the worst ---- */

static bool is_worse(const assay_bm25_hit *a, const assay_bm25_hit *b)
{
    if (a->score != b->score)
        return a->score < b->score;
    return a->doc < b->doc;
}

static void sink(assay_bm25_hit *heap, uint32_t n, assay_bm25_hit hit)
{
    size_t i = 0;

    for (;;) {
        size_t child = 2 * i + 1;

        if (child >= n)
            break;
        if (child + 1 < n && is_worse(&heap[child + 1], &heap[child]))
            child++;
        if (!is_worse(&heap[child], &hit))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = hit;
}

void assay_bm25_offer(assay_bm25_hit *heap, uint32_t k, uint32_t *n, assay_bm25_hit hit)
{
    size_t i;

    if (*n == k) {
        if (is_worse(&heap[0], &hit))
            sink(heap, k, hit);
        return;
    }
    i = (*n)++;
    while (i && is_worse(&hit, &heap[(i - 1) / 2])) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = hit;
}

/* Best first, by quicksort; pieces of few hits by insertion.  The larger half waits, so
 * the stack holds one entry a doubling. */
static void sort_best(assay_bm25_hit *hit, size_t n)
{
    enum { SMALL = 12, DEPTH = 64 };
    struct {
        assay_bm25_hit *hit;
        size_t n;
    } stack[DEPTH];
    size_t depth = 0;

    for (;;) {
        while (n > SMALL) {
            assay_bm25_hit pivot = hit[n / 2];
            size_t low = 0;
            size_t high = n - 1;

            for (;;) {
                assay_bm25_hit swap;

                while (is_worse(&pivot, &hit[low]))
                    low++;
                while (is_worse(&hit[high], &pivot))
                    high--;
                if (low >= high)
                    break;
                swap = hit[low];
                hit[low++] = hit[high];
                hit[high--] = swap;
            }
            high++; /* [0, high) are no worse than the pivot, the rest no better */
            if (high > n - high) {
                stack[depth].hit = hit;
                stack[depth++].n = high;
                hit += high;
                n -= high;
            } else {
                stack[depth].hit = hit + high;
                stack[depth++].n = n - high;
                n = high;
            }
        }
        for (size_t i = 1; i < n; i++) {
            assay_bm25_hit moving = hit[i];
            size_t j = i;

            for (; j > 0 && is_worse(&hit[j - 1], &moving); j--)
                hit[j] = hit[j - 1];
            hit[j] = moving;
        }
        if (!depth)
            return;
        hit = stack[--depth].hit;
        n = stack[depth].n;
    }
}

void assay_bm25_sorted(const assay_bm25_hit *heap, uint32_t n, assay_bm25_hit *hit)
{
    if (n)
        memcpy(hit, heap, n * sizeof *hit);
    sort_best(hit, n);
}

/* ---- every posting ---- */

/* Add a term's parts to the window [first, first + ASSAY_BM25_WINDOW). */
static void add_all(assay_bm25_search *s, const assay_bm25_term *t, uint32_t first)
{
    const assay_postings *p = s->bm25->postings;

    for (uint64_t k = p->block_at[t->term]; k < p->block_at[t->term + 1]; k++) {
        uint64_t at = p->post_at[t->term] + p->block_pos[k];
        uint64_t end =
            p->post_at[t->term] +
            assay_postings_block_end(p, t->term, (uint32_t)(k - p->block_at[t->term]));

        for (; at < end; at++) {
            uint32_t doc = p->block_doc[k] + p->delta[at];

            if (doc < first || doc - first >= ASSAY_BM25_WINDOW)
                continue;
            s->exact[doc - first] +=
                assay_bm25_round(t->weight * assay_bm25_f(s->bm25, at, doc));
            s->is_there[doc - first] = 1;
        }
    }
}

assay_status assay_bm25_top_all(assay_bm25_search *s, const assay_tokens *query,
                                uint32_t k, assay_bm25_hit *hit, uint32_t *n,
                                assay_error *err)
{
    uint32_t n_docs = s->bm25->postings->n_docs;
    uint32_t n_kept = 0;

    k = k < n_docs ? k : n_docs;
    if (!assay_bm25_room(s, k) || !assay_bm25_terms(s, query))
        return assay_fail_memory(err, "searching");
    for (uint64_t first = 0; k && s->n_terms && first < n_docs;
         first += ASSAY_BM25_WINDOW) {
        memset(s->exact, 0, ASSAY_BM25_WINDOW * sizeof *s->exact);
        memset(s->is_there, 0, ASSAY_BM25_WINDOW);
        for (size_t i = 0; i < s->n_terms; i++)
            add_all(s, &s->term[i], (uint32_t)first);
        for (uint32_t i = 0; i < ASSAY_BM25_WINDOW; i++)
            if (s->is_there[i])
                assay_bm25_offer(s->heap, k, &n_kept,
                                 (assay_bm25_hit){(uint32_t)first + i, s->exact[i]});
    }
    assay_bm25_sorted(s->heap, n_kept, hit);
    *n = n_kept;
    return ASSAY_OK;
}

/* ---- explaining ---- */

assay_status assay_bm25_explain(assay_bm25_search *s, const assay_tokens *query,
                                uint32_t doc, const assay_bm25_part **part, size_t *n,
                                assay_error *err)
{
    const assay_postings *p = s->bm25->postings;
    assay_bm25_part *moved;

    if (!assay_bm25_terms(s, query))
        return assay_fail_memory(err, "explaining a hit");
    moved = assay_mem_grow(s->part, &s->cap_part, s->n_terms + 1, sizeof *moved);
    if (!moved)
        return assay_fail_memory(err, "explaining a hit");
    s->part = moved;
    *n = 0;
    for (size_t i = 0; i < s->n_terms; i++) {
        const assay_bm25_term *t = &s->term[i];
        assay_bm25_part part_of;
        uint64_t at;
        size_t j;

        if (doc >= p->n_docs || !assay_postings_find(p, t->term, doc, &at))
            continue;
        part_of = (assay_bm25_part){
            .term = assay_postings_word(p, t->term),
            .times = t->times,
            .df = assay_postings_df(p, t->term),
            .tf = assay_postings_tf(p, at),
            .idf = t->idf,
            .part = assay_bm25_round(t->weight * assay_bm25_f(s->bm25, at, doc)),
        };
        for (j = (*n)++; j > 0 && moved[j - 1].part < part_of.part; j--)
            moved[j] = moved[j - 1];
        moved[j] = part_of;
    }
    *part = moved;
    return ASSAY_OK;
}
