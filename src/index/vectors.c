/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of floats and their codes.
 *
 * A code is a row divided by (largest number of the row / 127) and rounded.  Beside the
 * floats the codes are a sieve: they are a quarter of the bytes, and how far a row is
 * from its codes is known, so nothing that belongs to the answer falls through. */
#include "index/vectors.h"

#include <math.h>
#include <string.h>

#include "base/dot.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "index/vectors_own.h"

enum { CHUNK = 1024 };

static const double LONGEST = 1e18; /* products of two such still fit a float */

/* What one item of the pool has seen of its rows. */
typedef struct seen {
    double longest;
    double longest_code;
    double farthest;
    uint32_t bad; /* first row that is not finite, or n */
} seen;

typedef struct build {
    assay_vectors *v;
    seen *seen; /* one for each chunk */
} build;

static double largest_of(const float *row, uint32_t dims)
{
    float most = 0;

    for (uint32_t i = 0; i < dims; i++) {
        float x = fabsf(row[i]);

        most = x > most ? x : most;
    }
    return (double)most;
}

static void encode_row(assay_vectors *v, uint32_t at, seen *s)
{
    const float *row = v->row + (size_t)at * v->dims;
    int8_t *code = v->code + (size_t)at * v->dims;
    float scale = (float)(largest_of(row, v->dims) / 127);
    double far = 0;
    double length = 0;

    v->scale[at] = scale;
    for (uint32_t i = 0; i < v->dims; i++) {
        float x = scale > 0 ? rintf(row[i] / scale) : 0;
        double back;

        x = x > 127 ? 127 : x < -127 ? -127 : x;
        code[i] = (int8_t)x;
        back = (double)x * (double)scale;
        length += back * back;
        far += ((double)row[i] - back) * ((double)row[i] - back);
    }
    s->longest_code = fmax(s->longest_code, sqrt(length));
    s->farthest = fmax(s->farthest, sqrt(far));
}

static void build_chunk(void *ctx, uint32_t worker, size_t item)
{
    build *b = ctx;
    assay_vectors *v = b->v;
    uint32_t end = (uint32_t)((item + 1) * CHUNK);
    seen s = {.bad = v->n};

    (void)worker;
    end = end < v->n ? end : v->n;
    for (uint32_t i = (uint32_t)(item * CHUNK); i < end; i++) {
        float *row = v->row + (size_t)i * v->dims;
        double length = sqrt(assay_dot_exact(row, row, v->dims));

        if (!(length <= LONGEST)) {
            s.bad = i;
            break;
        }
        if (!v->is_dot) {
            assay_dot_normalise(row, v->dims);
            length = sqrt(assay_dot_exact(row, row, v->dims));
        }
        s.longest = fmax(s.longest, length);
        if (v->code)
            encode_row(v, i, &s);
    }
    b->seen[item] = s;
}

static assay_status build_all(assay_vectors *v, uint32_t n_threads, assay_error *err)
{
    size_t n_items = ((size_t)v->n + CHUNK - 1) / CHUNK;
    build b = {v, ASSAY_NEW_ARRAY(seen, n_items)};
    assay_status st = ASSAY_OK;

    if (!b.seen)
        return assay_fail_memory(err, "indexing vectors");
    assay_pool_run(n_threads, n_items, build_chunk, &b);
    for (size_t i = 0; i < n_items && !st; i++) {
        v->longest = fmax(v->longest, b.seen[i].longest);
        v->longest_code = fmax(v->longest_code, b.seen[i].longest_code);
        v->farthest = fmax(v->farthest, b.seen[i].farthest);
        if (b.seen[i].bad < v->n)
            st =
                assay_fail(err, ASSAY_EINPUT,
                           "vector %u of %u has numbers that are not finite or too large",
                           b.seen[i].bad + 1, v->n);
    }
    assay_mem_free(b.seen);
    return st;
}

assay_status assay_vectors_new(float *row, uint32_t n, uint32_t dims,
                               const assay_vectors_options *options, assay_vectors **out,
                               assay_error *err)
{
    assay_vectors *v = ASSAY_NEW(assay_vectors);
    size_t size = (size_t)n * dims;
    assay_status st;

    if (!v)
        return assay_fail_memory(err, "indexing vectors");
    *v = (assay_vectors){.row = row, .n = n, .dims = dims, .is_dot = options->is_dot};
    if (!options->is_lean) {
        v->code = assay_mem_alloc_spread(size);
        v->scale = assay_mem_alloc((size_t)n * sizeof *v->scale);
        if (!v->code || !v->scale) {
            st = assay_fail_memory(err, "indexing vectors");
            goto failed;
        }
    }
    st = build_all(v, options->n_threads, err);
    if (st)
        goto failed;
    *out = v;
    return ASSAY_OK;

failed:
    v->row = NULL;
    assay_vectors_free(v);
    return st;
}

void assay_vectors_free(assay_vectors *v)
{
    if (!v)
        return;
    assay_mem_free(v->row);
    assay_mem_free(v->code);
    assay_mem_free(v->scale);
    assay_mem_free(v);
}

void assay_vectors_drop_floats(assay_vectors *v)
{
    if (!v->code)
        return;
    assay_mem_free(v->row);
    v->row = NULL;
}

uint32_t assay_vectors_n(const assay_vectors *v)
{
    return v->n;
}

uint32_t assay_vectors_dims(const assay_vectors *v)
{
    return v->dims;
}

size_t assay_vectors_bytes(const assay_vectors *v)
{
    size_t size = (size_t)v->n * v->dims;

    return (v->row ? size * sizeof(float) : 0) +
           (v->code ? size + v->n * sizeof(float) : 0);
}

void assay_vectors_encode(const float *query, uint32_t dims, assay_query_code *out)
{
    /* As many steps as the sum of dims products with 127 leaves room for. */
    double steps = floor(fmin(32767, 2147483647.0 / 127 / (dims ? dims : 1)));
    double scale = largest_of(query, dims) / steps;
    double lost = 0;
    double length = 0;

    for (uint32_t i = 0; i < dims; i++) {
        double x = (double)query[i];
        double y = scale > 0 ? rint(x / scale) : 0;

        y = fmax(-steps, fmin(steps, y));
        out->code[i] = (int16_t)y;
        lost += (x - y * scale) * (x - y * scale);
        length += x * x;
    }
    out->scale = scale;
    out->lost = sqrt(lost);
    out->length = sqrt(length);
}

double assay_vectors_score(const assay_vectors *v, const float *query,
                           const assay_query_code *code, uint32_t row)
{
    int32_t sum;

    if (v->row)
        return assay_dot_exact(query, v->row + (size_t)row * v->dims, v->dims);
    assay_dot_codes(code->code, v->code + (size_t)row * v->dims, v->dims, 1, v->dims,
                    &sum);
    return (double)sum * ((double)v->scale[row] * code->scale);
}
