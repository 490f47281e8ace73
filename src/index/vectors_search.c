/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest rows.  Three passes can find what may belong to the answer:
 *
 *     codes   a few queries: row after row of bytes, bound by memory
 *     rows    the same over floats, where there are no codes
 *     tiles   many queries: six rows against panels of sixteen queries (base/gemm.h)
 *
 * Each worker keeps a pile for each query.  At the end the piles are put together, and
 * what is left is scored by assay_vectors_score and sorted. */
#include "index/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/dot.h"
#include "base/error.h"
#include "base/gemm.h"
#include "base/mem.h"
#include "base/pool.h"
#include "index/pile.h"
#include "index/vectors_own.h"

#if defined(ASSAY_HAS_FMA)
#include <immintrin.h>
#endif

enum {
    CHUNK = 4096,          /* rows of one item of the pool */
    BLOCK_BYTES = 1 << 18, /* rows that stay in the second-level cache */
    FEW = 8,               /* queries up to which rows are taken one by one */
    BATCH = 1024,          /* queries at once: bounds the memory of the piles */
    ROWS_AT_ONCE = 128
};

typedef enum pass { PASS_CODES, PASS_ROWS, PASS_TILES } pass;

typedef struct search {
    const assay_vectors *v;
    const float *query;     /* n_queries x dims; of length 1 where that is asked */
    assay_query_code *code; /* one for each query, where there are codes */
    float *packed;          /* PASS_TILES: the queries in panels */
    size_t n_queries;
    size_t n_panels;
    uint32_t k;
    uint32_t n_workers;
    pass pass;
    assay_pile *pile; /* [worker * n_queries + query] */
    float *floor;     /* PASS_TILES: [worker][panel * 16 + query] */
    assay_near *near; /* [worker]: room for exact scores */
    uint32_t near_cap;
    assay_gemm_kernel *kernel;
} search;

static int best_first(const void *a, const void *b)
{
    const assay_near *x = a;
    const assay_near *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->row > y->row ? -1 : x->row < y->row;
}

static const float *query_at(const search *s, size_t q)
{
    return s->query + q * s->v->dims;
}

/* Exact scores of a pile, best first. */
static uint32_t score_pile(const search *s, const assay_pile *pile, size_t q,
                           assay_near *out)
{
    for (uint32_t i = 0; i < pile->n; i++)
        out[i] = (assay_near){assay_vectors_score(s->v, query_at(s, q),
                                                  s->code ? &s->code[q] : NULL,
                                                  pile->item[i].row),
                              pile->item[i].row};
    qsort(out, pile->n, sizeof *out, best_first);
    return pile->n < s->k ? pile->n : s->k;
}

/* Too many rows are too close to be told apart by the fast scores: keep the best k by
 * the exact ones.  What comes later must reach the last of them. */
static void settle(const search *s, uint32_t worker, size_t q, assay_pile *pile)
{
    assay_near *near = s->near + (size_t)worker * s->near_cap;
    uint32_t n = score_pile(s, pile, q, near);

    for (uint32_t i = 0; i < n; i++)
        pile->item[i] = (assay_pile_item){(float)near[i].score, near[i].row};
    pile->n = n;
    if (n == s->k && n)
        pile->floor =
            fmaxf(pile->floor,
                  nextafterf((float)(near[n - 1].score - pile->margin), -INFINITY));
}

static void keep(const search *s, uint32_t worker, size_t q, float about, uint32_t row)
{
    assay_pile *pile = &s->pile[worker * s->n_queries + q];

    pile->item[pile->n++] = (assay_pile_item){about, row};
    if (pile->n == pile->cap && !assay_pile_sift(pile))
        settle(s, worker, q, pile);
}

static void keep_above(const search *s, uint32_t worker, size_t q, const float *about,
                       uint32_t first, size_t n)
{
    const assay_pile *pile = &s->pile[worker * s->n_queries + q];

    for (size_t i = 0; i < n; i++)
        if (about[i] >= pile->floor)
            keep(s, worker, q, about[i], first + (uint32_t)i);
}

static void pass_codes(const search *s, uint32_t worker, size_t q, uint32_t first,
                       uint32_t n)
{
    const assay_vectors *v = s->v;
    const assay_query_code *code = &s->code[q];
    float unit = (float)code->scale;
    int32_t sum[ROWS_AT_ONCE];
    float about[ROWS_AT_ONCE];

    assay_dot_codes(code->code, v->code + (size_t)first * v->dims, v->dims, n, v->dims,
                    sum);
    for (uint32_t i = 0; i < n; i++)
        about[i] = (float)sum[i] * (v->scale[first + i] * unit);
    keep_above(s, worker, q, about, first, n);
}

static void pass_rows(const search *s, uint32_t worker, size_t q, uint32_t first,
                      uint32_t n)
{
    const assay_vectors *v = s->v;
    float about[ROWS_AT_ONCE];

    assay_dot_rows(query_at(s, q), v->row + (size_t)first * v->dims, v->dims, n, v->dims,
                   about);
    keep_above(s, worker, q, about, first, n);
}

/* Whether any of the sixteen reaches its floor: nearly never, after the first rows. */
static bool any_above_plain(const float *about, const float *floor)
{
    int any = 0;

    for (int j = 0; j < ASSAY_GEMM_COLS; j++)
        any |= about[j] >= floor[j];
    return any != 0;
}

#if defined(ASSAY_HAS_FMA)
ASSAY_FMA static bool any_above_wide(const float *about, const float *floor)
{
    __m256 low =
        _mm256_cmp_ps(_mm256_loadu_ps(about), _mm256_loadu_ps(floor), _CMP_GE_OQ);
    __m256 high =
        _mm256_cmp_ps(_mm256_loadu_ps(about + 8), _mm256_loadu_ps(floor + 8), _CMP_GE_OQ);

    return _mm256_movemask_ps(_mm256_or_ps(low, high)) != 0;
}
#endif

typedef bool above(const float *about, const float *floor);

static above *choose_above(void)
{
#if defined(ASSAY_HAS_FMA)
    if (assay_has_fma())
        return any_above_wide;
#endif
    return any_above_plain;
}

static void keep_tile(const search *s, uint32_t worker, size_t panel, const float *tile,
                      uint32_t first, size_t rows, above *any_above)
{
    size_t q0 = panel * ASSAY_GEMM_COLS;
    float *floor = s->floor + (worker * s->n_panels + panel) * ASSAY_GEMM_COLS;

    for (size_t i = 0; i < rows; i++, tile += ASSAY_GEMM_COLS) {
        if (!any_above(tile, floor))
            continue;
        for (size_t j = 0; j < ASSAY_GEMM_COLS && q0 + j < s->n_queries; j++) {
            if (!(tile[j] >= floor[j]))
                continue;
            keep(s, worker, q0 + j, tile[j], first + (uint32_t)i);
            floor[j] = s->pile[worker * s->n_queries + q0 + j].floor;
        }
    }
}

static void pass_tiles(const search *s, uint32_t worker, uint32_t first, uint32_t n)
{
    const assay_vectors *v = s->v;
    above *any_above = choose_above();
    float tile[ASSAY_GEMM_TILE];

    for (size_t panel = 0; panel < s->n_panels; panel++) {
        const float *b = s->packed + panel * ASSAY_GEMM_COLS * v->dims;

        for (uint32_t i = 0; i < n; i += ASSAY_GEMM_ROWS) {
            size_t rows = n - i < ASSAY_GEMM_ROWS ? n - i : ASSAY_GEMM_ROWS;

            memset(tile, 0, sizeof tile);
            s->kernel(v->row + (size_t)(first + i) * v->dims, v->dims, rows, b, v->dims,
                      tile);
            keep_tile(s, worker, panel, tile, first + i, rows, any_above);
        }
    }
}

static void search_chunk(void *ctx, uint32_t worker, size_t item)
{
    const search *s = ctx;
    uint32_t at = (uint32_t)(item * CHUNK);
    uint32_t end = s->v->n - at < CHUNK ? s->v->n : at + CHUNK;
    size_t fit = BLOCK_BYTES / ((size_t)s->v->dims * sizeof(float) + 1);
    uint32_t block = s->pass != PASS_TILES ? ROWS_AT_ONCE
                     : fit < ASSAY_GEMM_ROWS
                         ? ASSAY_GEMM_ROWS
                         : (uint32_t)(fit / ASSAY_GEMM_ROWS * ASSAY_GEMM_ROWS);

    for (; at < end; at += block) {
        uint32_t n = end - at < block ? end - at : block;

        if (s->pass == PASS_TILES) {
            pass_tiles(s, worker, at, n);
            continue;
        }
        for (size_t q = 0; q < s->n_queries; q++)
            (s->pass == PASS_CODES ? pass_codes : pass_rows)(s, worker, q, at, n);
    }
}

/* All candidates of one query in one pile, and their exact scores. */
typedef struct finish {
    search *s;
    assay_near *hit;
    uint32_t *n_hits;
} finish;

static void finish_query(void *ctx, uint32_t worker, size_t q)
{
    finish *f = ctx;
    search *s = f->s;
    assay_near *near = s->near + (size_t)worker * s->near_cap;
    assay_pile *all = &s->pile[q];
    uint32_t n;

    for (uint32_t w = 1; w < s->n_workers; w++) {
        const assay_pile *other = &s->pile[w * s->n_queries + q];

        all->floor = fmaxf(all->floor, other->floor);
        for (uint32_t i = 0; i < other->n; i++) {
            all->item[all->n++] = other->item[i];
            if (all->n == all->cap && !assay_pile_sift(all))
                settle(s, worker, q, all);
        }
    }
    (void)assay_pile_sift(all);
    n = score_pile(s, all, q, near);
    memcpy(f->hit + q * s->k, near, n * sizeof *near);
    f->n_hits[q] = n;
}

/* How far the fast score of any row can be from the exact one. */
static double margin_of(const search *s, size_t q)
{
    const assay_vectors *v = s->v;
    double length = sqrt(assay_dot_exact(query_at(s, q), query_at(s, q), v->dims));
    double unit = ldexp(1, -24);
    const assay_query_code *c;

    if (s->pass != PASS_CODES)
        return 1.01 * unit * ((double)v->dims + 8) * length * v->longest + 1e-37;
    c = &s->code[q];
    /* Three roundings in float, and what the codes lost, where floats are the truth. */
    return 8 * unit * (c->length + c->lost) * v->longest_code + 1e-37 +
           (v->row ? c->length * v->farthest + c->lost * v->longest_code : 0);
}

static assay_status prepare_queries(search *s, const float *query)
{
    const assay_vectors *v = s->v;
    size_t size = s->n_queries * v->dims;
    float *own = assay_mem_alloc(size * sizeof *own);

    s->query = own;
    if (!own)
        return ASSAY_ENOMEM;
    memcpy(own, query, size * sizeof *own);
    for (size_t q = 0; q < s->n_queries && !v->is_dot; q++)
        assay_dot_normalise(own + q * v->dims, v->dims);
    if (s->pass == PASS_TILES) {
        s->n_panels = (s->n_queries + ASSAY_GEMM_COLS - 1) / ASSAY_GEMM_COLS;
        s->packed =
            assay_mem_alloc(assay_gemm_packed(s->n_queries, v->dims) * sizeof(float));
        if (!s->packed)
            return ASSAY_ENOMEM;
        assay_gemm_pack(own, s->n_queries, v->dims, v->dims, 1, s->packed);
        s->kernel = assay_gemm_choose();
        return ASSAY_OK;
    }
    if (s->pass != PASS_CODES)
        return ASSAY_OK;
    s->code = ASSAY_NEW_ARRAY(assay_query_code, s->n_queries);
    if (!s->code)
        return ASSAY_ENOMEM;
    s->code[0].code = assay_mem_alloc(size * sizeof *s->code[0].code);
    if (!s->code[0].code)
        return ASSAY_ENOMEM;
    for (size_t q = 0; q < s->n_queries; q++) {
        s->code[q].code = s->code[0].code + q * v->dims;
        assay_vectors_encode(query_at(s, q), v->dims, &s->code[q]);
    }
    return ASSAY_OK;
}

static assay_status prepare_piles(search *s)
{
    size_t n_piles = s->n_workers * s->n_queries;
    uint32_t cap = 2 * s->k + 192;
    assay_pile_item *item = assay_mem_alloc(n_piles * cap * sizeof *item);

    s->pile = ASSAY_NEW_ARRAY(assay_pile, n_piles);
    s->near = assay_mem_alloc((size_t)s->n_workers * cap * sizeof *s->near);
    s->near_cap = cap;
    if (!item || !s->pile || !s->near) {
        assay_mem_free(item);
        return ASSAY_ENOMEM;
    }
    for (size_t i = 0; i < n_piles; i++)
        s->pile[i] = (assay_pile){.item = item + i * cap,
                                  .cap = cap,
                                  .k = s->k,
                                  .floor = -INFINITY,
                                  .margin = margin_of(s, i % s->n_queries)};
    if (s->pass == PASS_TILES) {
        size_t n = s->n_workers * s->n_panels * ASSAY_GEMM_COLS;

        s->floor = assay_mem_alloc(n * sizeof *s->floor);
        if (!s->floor)
            return ASSAY_ENOMEM;
        /* Nothing is ever kept for the queries that fill up the last panel. */
        for (size_t i = 0; i < n; i++)
            s->floor[i] =
                i % (s->n_panels * ASSAY_GEMM_COLS) < s->n_queries ? -INFINITY : INFINITY;
    }
    return ASSAY_OK;
}

static void release(search *s)
{
    if (s->pile)
        assay_mem_free(s->pile[0].item);
    assay_mem_free(s->pile);
    assay_mem_free(s->near);
    assay_mem_free(s->floor);
    if (s->code)
        assay_mem_free(s->code[0].code);
    assay_mem_free(s->code);
    assay_mem_free(s->packed);
    assay_mem_free((float *)(uintptr_t)s->query);
}

static bool is_zero(const float *query, uint32_t dims)
{
    for (uint32_t i = 0; i < dims; i++)
        if (query[i] != 0)
            return false;
    return true;
}

static assay_status search_some(const assay_vectors *v, const float *query,
                                size_t n_queries, uint32_t k, uint32_t n_threads,
                                pass how, assay_near *hit, uint32_t *n_hits)
{
    search s = {.v = v, .n_queries = n_queries, .k = k, .pass = how};
    finish f = {&s, hit, n_hits};
    size_t n_chunks = ((size_t)v->n + CHUNK - 1) / CHUNK;
    assay_status st;

    n_threads = n_threads ? n_threads : assay_pool_cores();
    n_threads = n_threads > n_chunks ? (uint32_t)n_chunks : n_threads;
    s.n_workers = n_threads > ASSAY_POOL_MOST ? ASSAY_POOL_MOST : n_threads;
    st = prepare_queries(&s, query);
    if (!st)
        st = prepare_piles(&s);
    if (!st) {
        assay_pool_run(s.n_workers, n_chunks, search_chunk, &s);
        assay_pool_run(s.n_workers, n_queries, finish_query, &f);
        for (size_t q = 0; q < n_queries; q++)
            if (is_zero(query + q * v->dims, v->dims))
                n_hits[q] = 0;
    }
    release(&s);
    return st;
}

assay_status assay_vectors_search(const assay_vectors *v, const float *query,
                                  size_t n_queries, uint32_t k, uint32_t n_threads,
                                  assay_near *hit, uint32_t *n_hits, assay_error *err)
{
    uint32_t asked = k;

    k = k < v->n ? k : v->n;
    for (size_t q = 0; q < n_queries && (!k || !v->dims); q++)
        n_hits[q] = 0;
    if (!k || !v->dims)
        return ASSAY_OK;
    for (size_t first = 0; first < n_queries; first += BATCH) {
        size_t n = n_queries - first < BATCH ? n_queries - first : BATCH;
        bool are_codes = !v->row || (v->code && n <= FEW);
        pass how = are_codes ? PASS_CODES : n <= FEW ? PASS_ROWS : PASS_TILES;

        if (search_some(v, query + first * v->dims, n, k, n_threads, how,
                        hit + first * asked, n_hits + first))
            return assay_fail_memory(err, "searching vectors");
        /* The rows of hit[] are `asked` apart, the answers k. */
        for (size_t q = n; asked > k && q-- > 1;)
            memmove(hit + (first + q) * asked, hit + first * asked + q * k,
                    n_hits[first + q] * sizeof *hit);
    }
    return ASSAY_OK;
}

static uint32_t n_common(const assay_near *a, uint32_t n_a, const assay_near *b,
                         uint32_t n_b)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_a; i++)
        for (uint32_t j = 0; j < n_b; j++)
            n += a[i].row == b[j].row;
    return n;
}

assay_status assay_vectors_loss(const assay_vectors *v, uint32_t n_probe, uint32_t k,
                                uint32_t n_threads, double *recall, assay_error *err)
{
    assay_vectors bare = *v;
    uint32_t n = n_probe < v->n ? n_probe : v->n;
    float *query = assay_mem_alloc((size_t)n * v->dims * sizeof *query);
    assay_near *hit = assay_mem_alloc((size_t)n * k * 2 * sizeof *hit);
    uint32_t *n_hits = assay_mem_alloc((size_t)n * 2 * sizeof *n_hits);
    assay_near *rough = hit ? hit + (size_t)n * k : NULL;
    uint32_t *n_rough = n_hits ? n_hits + n : NULL;
    uint64_t found = 0;
    uint64_t all = 0;
    assay_status st;

    bare.row = NULL;
    if (!query || !hit || !n_hits) {
        st = assay_fail_memory(err, "measuring what int8 loses");
        goto done;
    }
    for (uint32_t i = 0; i < n; i++)
        memcpy(query + (size_t)i * v->dims,
               v->row + (size_t)((uint64_t)i * v->n / n) * v->dims,
               v->dims * sizeof *query);
    st = assay_vectors_search(v, query, n, k, n_threads, hit, n_hits, err);
    if (!st)
        st = assay_vectors_search(&bare, query, n, k, n_threads, rough, n_rough, err);
    for (uint32_t i = 0; i < n && !st; i++) {
        found +=
            n_common(hit + (size_t)i * k, n_hits[i], rough + (size_t)i * k, n_rough[i]);
        all += n_hits[i];
    }
    if (!st)
        *recall = all ? (double)found / (double)all : 1;
done:
    assay_mem_free(query);
    assay_mem_free(hit);
    assay_mem_free(n_hits);
    return st;
}
