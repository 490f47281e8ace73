/* SPDX-License-Identifier: Apache-2.0 */
/* A has a row for each text and a column for each term.  With Q some directions in the
 * space of terms,
 *
 *     repeat   Z = A^T (A Q),  Q = Z made orthogonal
 *     B = A Q,  B^T B = W S^2 W^T,  directions = Q W
 *
 * Q holds a few more directions than are asked for, so that the wanted ones are clean.
 * Each product is spread by rows of its result, and each inner sum runs in the order of
 * the matrix; sums over all rows are taken in STRIPES parts that do not depend on the
 * number of threads. */
#include "embed/svd.h"

#include <math.h>
#include <string.h>

#include "base/dot.h"
#include "base/eigen.h"
#include "base/error.h"
#include "base/gemm.h"
#include "base/mem.h"
#include "base/pool.h"

enum {
    STRIPES = 16,
    ROWS = 64,  /* of a result, one item of the pool */
    SPARE = 16, /* directions beyond those asked for */
    SMALL = 1 << 20,
    PIECE = 128 /* rows that are added in float before they go into doubles */
};

typedef struct work {
    const assay_term_matrix *m;
    size_t *first;           /* the matrix by columns: n_terms + 1 places in entry[] */
    assay_term_entry *entry; /* .term is the row here */
    float *q;                /* n_terms x l */
    float *p;                /* n_rows x l */
    double *gram;            /* STRIPES x l x l */
    float *room_of_gram;     /* STRIPES times what add_gram needs */
    float *mix;              /* l x l, packed */
    double *small;           /* l x l */
    double *value;           /* l */
    double *room;            /* l */
    size_t l;
    uint32_t n_threads;
    /* what the pool is to do now */
    const float *from;
    float *to;
    size_t n_from;
} work;

/* The matrix by columns, rows ascending in each. */
static bool turn(work *w)
{
    const assay_term_matrix *m = w->m;
    size_t *next;

    w->first = ASSAY_NEW_ARRAY(size_t, (size_t)m->n_terms + 2);
    w->entry = assay_mem_alloc(m->first[m->n_rows] * sizeof *w->entry);
    if (!w->first || !w->entry)
        return false;
    /* Shifted by one place, so that filling moves each to where it belongs. */
    next = w->first + 1;
    for (size_t e = 0; e < m->first[m->n_rows]; e++)
        next[m->entry[e].term + 1]++;
    for (uint32_t t = 0; t < m->n_terms; t++)
        next[t + 1] += next[t];
    for (size_t r = 0; r < m->n_rows; r++)
        for (size_t e = m->first[r]; e < m->first[r + 1]; e++)
            w->entry[next[m->entry[e].term]++] =
                (assay_term_entry){(uint32_t)r, m->entry[e].weight};
    return true;
}

static void sum_rows(const work *w, const size_t *first, const assay_term_entry *entry,
                     size_t row)
{
    float *to = w->to + row * w->l;

    memset(to, 0, w->l * sizeof *to);
    for (size_t e = first[row]; e < first[row + 1]; e++) {
        const float *from = w->from + entry[e].term * w->l;
        float x = entry[e].weight;

        assay_dot_add(to, x, from, w->l);
    }
}

static void times_matrix(void *ctx, uint32_t worker, size_t item)
{
    const work *w = ctx;
    size_t end = (item + 1) * ROWS < w->m->n_rows ? (item + 1) * ROWS : w->m->n_rows;

    (void)worker;
    for (size_t r = item * ROWS; r < end; r++)
        sum_rows(w, w->m->first, w->m->entry, r);
}

static void times_turned(void *ctx, uint32_t worker, size_t item)
{
    const work *w = ctx;
    size_t end = (item + 1) * ROWS < w->m->n_terms ? (item + 1) * ROWS : w->m->n_terms;

    (void)worker;
    for (size_t t = item * ROWS; t < end; t++)
        sum_rows(w, w->first, w->entry, t);
}

/* p = A q */
static void forth(work *w)
{
    w->from = w->q;
    w->to = w->p;
    assay_pool_run(w->n_threads, (w->m->n_rows + ROWS - 1) / ROWS, times_matrix, w);
}

/* q = A^T p */
static void back(work *w)
{
    w->from = w->p;
    w->to = w->q;
    assay_pool_run(w->n_threads, ((size_t)w->m->n_terms + ROWS - 1) / ROWS, times_turned,
                   w);
}

/* Add x^T x of up to PIECE rows to g.  `room` holds x turned, the same packed, and the
 * product in float. */
static void add_gram(const float *x, size_t n, size_t l, float *room, double *g)
{
    float *turned = room;
    float *packed = turned + l * PIECE;
    float *product = packed + assay_gemm_packed(l, PIECE);

    for (size_t j = 0; j < l; j++)
        for (size_t r = 0; r < n; r++)
            turned[j * n + r] = x[r * l + j];
    assay_gemm_pack(turned, l, n, n, 1, packed);
    assay_gemm(turned, n, l, packed, l, n, NULL, product, l);
    for (size_t i = 0; i < l * l; i++)
        g[i] += (double)product[i];
}

static size_t gram_room(size_t l)
{
    return l * PIECE + assay_gemm_packed(l, PIECE) + l * l;
}

static void gram_stripe(void *ctx, uint32_t worker, size_t item)
{
    const work *w = ctx;
    size_t end = w->n_from * (item + 1) / STRIPES;
    double *g = w->gram + item * w->l * w->l;

    (void)worker;
    memset(g, 0, w->l * w->l * sizeof *g);
    for (size_t r = w->n_from * item / STRIPES; r < end; r += PIECE)
        add_gram(w->from + r * w->l, end - r < PIECE ? end - r : PIECE, w->l,
                 w->room_of_gram + item * gram_room(w->l), g);
}

/* small = x^T x, for n rows of l. */
static void gram(work *w, const float *x, size_t n)
{
    size_t l = w->l;

    w->from = x;
    w->n_from = n;
    assay_pool_run(w->n_threads, STRIPES, gram_stripe, w);
    for (size_t i = 0; i < l; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;

            for (size_t s = 0; s < STRIPES; s++)
                sum += w->gram[(s * l + i) * l + j];
            w->small[i * l + j] = w->small[j * l + i] = sum;
        }
}

static void mix_rows(void *ctx, uint32_t worker, size_t item)
{
    const work *w = ctx;
    size_t begin = item * ROWS;
    size_t n = w->m->n_terms - begin < ROWS ? w->m->n_terms - begin : ROWS;
    float *x = w->q + begin * w->l;
    /* The rows as they were: p is not in use meanwhile, but may be small. */
    float *old = w->to + worker * ROWS * w->l;

    memcpy(old, x, n * w->l * sizeof *old);
    assay_gemm(old, w->l, n, w->mix, w->l, w->l, NULL, x, w->l);
}

/* q = q M, where row j of `small` is column j of M. */
static bool mix(work *w)
{
    size_t l = w->l;
    float *turned = assay_mem_alloc(l * l * sizeof *turned);
    float *room = assay_mem_alloc(ASSAY_POOL_MOST * ROWS * l * sizeof *room);
    bool is_done = turned && room;

    if (is_done) {
        for (size_t i = 0; i < l * l; i++)
            turned[i] = (float)w->small[i];
        assay_gemm_pack(turned, l, l, l, 1, w->mix);
        w->to = room;
        assay_pool_run(w->n_threads, ((size_t)w->m->n_terms + ROWS - 1) / ROWS, mix_rows,
                       w);
    }
    assay_mem_free(turned);
    assay_mem_free(room);
    return is_done;
}

/* Make the columns of q about orthogonal: enough to go on with.  The shift keeps
 * directions that say nothing new from being blown up. */
static bool tidy(work *w)
{
    size_t l = w->l;
    double trace = 0;

    gram(w, w->q, w->m->n_terms);
    for (size_t i = 0; i < l; i++)
        trace += w->small[i * l + i];
    for (size_t i = 0; i < l; i++)
        w->small[i * l + i] += 1e-6 * trace / (double)l + 1e-30;
    if (!assay_cholesky(w->small, l))
        return true; /* so be it: the next round tries again */
    assay_cholesky_invert(w->small, l);
    return mix(w);
}

/* Make the columns of q orthogonal and of length 1; those that say nothing new become
 * 0. */
static bool straighten(work *w)
{
    size_t l = w->l;

    gram(w, w->q, w->m->n_terms);
    if (!assay_eigen(w->small, l, w->value, w->room))
        return false;
    for (size_t i = 0; i < l; i++) {
        bool is_there = w->value[i] > 1e-6 * w->value[0] && w->value[i] > 1e-300;
        double by = is_there ? 1 / sqrt(w->value[i]) : 0;

        for (size_t j = 0; j < l; j++)
            w->small[i * l + j] *= by;
    }
    return mix(w);
}

static void fill_random(float *q, size_t n, uint64_t seed)
{
    uint64_t state = seed;

    for (size_t i = 0; i < n; i++) {
        uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));

        z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
        q[i] = (float)((double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1);
    }
}

static bool iterate(work *w, uint32_t rounds, uint64_t seed)
{
    fill_random(w->q, (size_t)w->m->n_terms * w->l, seed);
    for (uint32_t i = 0; i <= rounds; i++) {
        forth(w);
        back(w);
        if (!tidy(w))
            return false;
    }
    if (!straighten(w))
        return false;
    forth(w);
    gram(w, w->p, w->m->n_rows);
    return assay_eigen(w->small, w->l, w->value, w->room) && mix(w);
}

static bool take_result(const work *w, uint32_t dims, assay_svd *out)
{
    uint32_t kept = 0;

    while (kept < dims && kept < w->l && w->value[kept] > 1e-6 * w->value[0] &&
           w->value[kept] > 1e-300)
        kept++;
    out->dims = kept;
    out->n_terms = w->m->n_terms;
    out->direction = assay_mem_alloc((size_t)w->m->n_terms * kept * sizeof(float));
    out->value = assay_mem_alloc(kept * sizeof *out->value);
    if (!out->direction || !out->value) {
        assay_svd_clear(out);
        return false;
    }
    for (uint32_t i = 0; i < kept; i++)
        out->value[i] = sqrt(w->value[i]);
    for (size_t t = 0; t < w->m->n_terms; t++)
        memcpy(out->direction + t * kept, w->q + t * w->l, kept * sizeof(float));
    return true;
}

assay_status assay_svd_of(const assay_term_matrix *m, uint32_t dims, uint32_t rounds,
                          uint64_t seed, uint32_t n_threads, assay_svd *out,
                          assay_error *err)
{
    size_t least = m->n_rows < m->n_terms ? m->n_rows : m->n_terms;
    work w = {.m = m, .n_threads = n_threads, .l = dims + SPARE};
    assay_svd result = {0};
    bool is_done;

    w.l = w.l < least ? w.l : least;
    /* Starting a thread takes longer than a small product. */
    if (m->first[m->n_rows] * w.l < SMALL)
        w.n_threads = 1;
    w.q = assay_mem_alloc((size_t)m->n_terms * w.l * sizeof *w.q);
    w.p = assay_mem_alloc(m->n_rows * w.l * sizeof *w.p);
    w.gram = assay_mem_alloc(STRIPES * w.l * w.l * sizeof *w.gram);
    w.room_of_gram = assay_mem_alloc(STRIPES * gram_room(w.l) * sizeof(float));
    w.mix = assay_mem_alloc(assay_gemm_packed(w.l, w.l) * sizeof *w.mix);
    w.small = assay_mem_alloc(w.l * w.l * sizeof *w.small);
    w.value = ASSAY_NEW_ARRAY(double, w.l);
    w.room = assay_mem_alloc(w.l * sizeof *w.room);
    is_done = w.q && w.p && w.gram && w.room_of_gram && w.mix && w.small && w.value &&
              w.room && turn(&w) && (!w.l || iterate(&w, rounds, seed)) &&
              take_result(&w, dims, &result);
    assay_mem_free(w.first);
    assay_mem_free(w.entry);
    assay_mem_free(w.q);
    assay_mem_free(w.p);
    assay_mem_free(w.gram);
    assay_mem_free(w.room_of_gram);
    assay_mem_free(w.mix);
    assay_mem_free(w.small);
    assay_mem_free(w.value);
    assay_mem_free(w.room);
    if (!is_done)
        return assay_fail_memory(err, "finding the directions of the texts");
    *out = result;
    return ASSAY_OK;
}

void assay_svd_clear(assay_svd *svd)
{
    assay_mem_free(svd->direction);
    assay_mem_free(svd->value);
    *svd = (assay_svd){NULL, NULL, 0, 0};
}
