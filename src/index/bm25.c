/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds under given parameters.  f depends on a document only through its length, of
 * which there are few different ones; so its values come out of a table of lengths and
 * small frequencies, both here and when hits are scored. */
#include "index/bm25.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/pool.h"
#include "index/bm25_inside.h"

enum { TERMS_AT_ONCE = 4096, FEW_POSTINGS = 1 << 16, SLOTS = 4 * ASSAY_BM25_CLASSES };

/* ---- lengths ---- */

/* Give every document the class of its pair of lengths; false: too many, or no memory
 * for trying. */
static bool classify(const assay_postings *p, uint16_t *class_of, uint64_t *pair,
                     uint32_t *n)
{
    uint16_t *slot = ASSAY_NEW_ARRAY(uint16_t, SLOTS); /* class + 1 */
    uint32_t doc = 0;

    *n = 0;
    for (; slot && doc < p->n_docs; doc++) {
        uint64_t key = (uint64_t)p->len_title[doc] << 32 | p->len_text[doc];
        size_t i = assay_hash_mix(key, 1) >> 32 & (SLOTS - 1);

        while (slot[i] && pair[slot[i] - 1] != key)
            i = (i + 1) & (SLOTS - 1);
        if (!slot[i]) {
            if (*n == ASSAY_BM25_CLASSES)
                break;
            pair[(*n)++] = key;
            slot[i] = (uint16_t)*n;
        }
        class_of[doc] = (uint16_t)(slot[i] - 1);
    }
    assay_mem_free(slot);
    return slot && doc == p->n_docs;
}

static double mean_length(const assay_postings *p, double title)
{
    double sum = (double)p->n_text + title * (double)p->n_title;

    return p->n_docs && sum > 0 ? sum / p->n_docs : 1;
}

static bool make_lengths(assay_bm25 *b)
{
    const assay_postings *p = b->postings;
    double mean = mean_length(p, b->params.title);
    uint64_t *pair = ASSAY_NEW_ARRAY(uint64_t, ASSAY_BM25_CLASSES);
    uint32_t n = 0;

    b->class_of = ASSAY_NEW_ARRAY(uint16_t, p->n_docs);
    if (!b->class_of || !pair || !classify(p, b->class_of, pair, &n)) {
        assay_mem_free(b->class_of);
        b->class_of = NULL;
        n = p->n_docs;
    }
    b->n_lengths = n;
    b->length = ASSAY_NEW_ARRAY(double, n);
    for (uint32_t i = 0; b->length && i < n; i++) {
        uint32_t text = b->class_of ? (uint32_t)pair[i] : p->len_text[i];
        uint32_t title = b->class_of ? (uint32_t)(pair[i] >> 32) : p->len_title[i];

        b->length[i] = (text + b->params.title * title) / mean;
    }
    if (b->length && b->class_of)
        b->f = ASSAY_NEW_ARRAY(double, (size_t)n *ASSAY_BM25_TFS);
    for (size_t i = 0; b->f && i < (size_t)n * ASSAY_BM25_TFS; i++)
        if (i % ASSAY_BM25_TFS)
            b->f[i] = b->variant->f(&b->params, (double)(i % ASSAY_BM25_TFS),
                                    b->length[i / ASSAY_BM25_TFS]);
    assay_mem_free(pair);
    return b->length && (b->f || !b->class_of);
}

/* ---- bounds ---- */

typedef struct bounding {
    assay_bm25 *b;
    double scale; /* f to bytes */
    double high[ASSAY_POOL_MOST][ASSAY_BM25_CODES];
    double low[ASSAY_POOL_MOST][ASSAY_BM25_CODES];
} bounding;

static uint8_t code_for(bounding *bd, uint32_t worker, double f)
{
    double scaled = f * bd->scale;
    uint8_t code = scaled < ASSAY_BM25_CODES ? (uint8_t)scaled : ASSAY_BM25_CODES - 1;

    bd->high[worker][code] = fmax(bd->high[worker][code], f);
    bd->low[worker][code] = fmin(bd->low[worker][code], f);
    return code;
}

/* Codes of the values in the table. */
static bool make_codes(bounding *bd, size_t n)
{
    assay_bm25 *b = bd->b;

    b->code_of = assay_mem_zero(n, 1);
    for (size_t i = 0; b->code_of && i < n; i++)
        if (i % ASSAY_BM25_TFS)
            b->code_of[i] = code_for(bd, 0, b->f[i]);
    return b->code_of != NULL;
}

static void bound_block(bounding *bd, uint32_t worker, uint64_t block, uint64_t from,
                        uint64_t to)
{
    assay_bm25 *b = bd->b;
    const assay_postings *p = b->postings;
    uint32_t first = p->block_doc[block];
    uint8_t most = 0;

    for (uint64_t i = from; i < to; i++) {
        uint32_t doc = first + p->delta[i];
        uint32_t text = p->tf_text[i];
        uint8_t code;

        if (ASSAY_LIKELY(b->class_of && text < ASSAY_BM25_TFS &&
                         !(p->tf_title && p->tf_title[i])))
            code = b->code_of[(size_t)b->class_of[doc] * ASSAY_BM25_TFS + text];
        else
            code = code_for(bd, worker, assay_bm25_f(b, i, doc));
        b->code[i] = code;
        most = code > most ? code : most;
    }
    b->block[block].doc = first;
    b->block[block].pos = p->block_pos[block];
    b->block[block].last = p->delta[to - 1];
    b->block[block].most = most;
    b->block[block].n = (uint8_t)(to - from - 1);
}

static void bound_terms(void *ctx, uint32_t worker, size_t item)
{
    bounding *bd = ctx;
    const assay_postings *p = bd->b->postings;
    size_t end = (item + 1) * TERMS_AT_ONCE;

    if (end > p->n_terms)
        end = p->n_terms;
    for (size_t t = item * TERMS_AT_ONCE; t < end; t++) {
        for (uint64_t k = p->block_at[t]; k < p->block_at[t + 1]; k++) {
            uint32_t n =
                assay_postings_block_end(p, (uint32_t)t, (uint32_t)(k - p->block_at[t]));

            bound_block(bd, worker, k, p->post_at[t] + p->block_pos[k],
                        p->post_at[t] + n);
        }
    }
}

static void join_bounds(const bounding *bd)
{
    assay_bm25 *b = bd->b;

    for (size_t c = 0; c < ASSAY_BM25_CODES; c++) {
        b->f_low[c] = HUGE_VAL;
        for (size_t w = 0; w < ASSAY_POOL_MOST; w++) {
            b->f_high[c] = fmax(b->f_high[c], bd->high[w][c]);
            b->f_low[c] = fmin(b->f_low[c], bd->low[w][c]);
        }
    }
}

static bool make_bounds(assay_bm25 *b, uint32_t n_threads)
{
    const assay_postings *p = b->postings;
    bounding *bd = ASSAY_NEW(bounding);
    bool is_made = false;

    b->code = assay_mem_alloc_spread((size_t)p->n_postings);
    b->block = assay_mem_alloc_spread((size_t)p->n_blocks * sizeof *b->block);
    if (!bd || !b->code || !b->block)
        goto done;
    bd->b = b;
    bd->scale = ASSAY_BM25_CODES / b->variant->f_most(&b->params);
    for (size_t w = 0; w < ASSAY_POOL_MOST; w++)
        for (size_t c = 0; c < ASSAY_BM25_CODES; c++)
            bd->low[w][c] = HUGE_VAL;
    if (b->class_of && !make_codes(bd, (size_t)b->n_lengths * ASSAY_BM25_TFS))
        goto done;
    assay_pool_run(n_threads, ((size_t)p->n_terms + TERMS_AT_ONCE - 1) / TERMS_AT_ONCE,
                   bound_terms, bd);
    join_bounds(bd);
    is_made = true;

done:
    assay_mem_free(bd);
    return is_made;
}

static double mean_idf(const assay_postings *p, const assay_bm25_variant *variant)
{
    double sum = 0;

    for (uint32_t t = 0; t < p->n_terms; t++)
        sum += variant->idf(p->n_docs, assay_postings_df(p, t));
    return p->n_terms ? sum / p->n_terms : 0;
}

/* ---- the index ---- */

assay_status assay_bm25_new(const assay_postings *postings,
                            const assay_bm25_variant *variant,
                            const assay_bm25_params *params, uint32_t n_threads,
                            assay_bm25 **out, assay_error *err)
{
    assay_bm25 *b = ASSAY_NEW(assay_bm25);

    if (postings->n_postings < FEW_POSTINGS)
        n_threads = 1; /* starting threads takes longer */
    if (b) {
        b->postings = postings;
        b->variant = variant;
        b->params = *params;
        if (variant->lifts_negative)
            b->mean_idf = mean_idf(postings, variant);
    }
    if (!b || !make_lengths(b) || !make_bounds(b, n_threads)) {
        assay_bm25_free(b);
        return assay_fail_memory(err, "preparing an index");
    }
    *out = b;
    return ASSAY_OK;
}

void assay_bm25_free(assay_bm25 *b)
{
    if (!b)
        return;
    assay_mem_free(b->length);
    assay_mem_free(b->class_of);
    assay_mem_free(b->f);
    assay_mem_free(b->code);
    assay_mem_free(b->code_of);
    assay_mem_free(b->block);
    assay_mem_free(b);
}

double assay_bm25_mean_idf(const assay_bm25 *bm25)
{
    return bm25->mean_idf;
}
