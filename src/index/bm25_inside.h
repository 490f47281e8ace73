/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of BM25 share. */
#ifndef ASSAY_INDEX_BM25_INSIDE_H
#define ASSAY_INDEX_BM25_INSIDE_H

#include "index/bm25.h"

enum {
    ASSAY_BM25_CODES = 256,
    ASSAY_BM25_TFS = 16,          /* frequencies with a value of f in the table */
    ASSAY_BM25_CLASSES = 1 << 15, /* most different lengths for the table to be made */
    ASSAY_BM25_WINDOW = 8192      /* documents that are looked at together */
};

/* All that skipping needs of a block, side by side. */
typedef struct assay_bm25_block {
    uint32_t doc;  /* its first */
    uint32_t pos;  /* its first posting, counted in the term */
    uint16_t last; /* its last document less the first */
    uint8_t most;  /* highest code in it */
    uint8_t n;     /* postings, less 1 */
} assay_bm25_block;

struct assay_bm25 {
    const assay_postings *postings;
    const assay_bm25_variant *variant;
    assay_bm25_params params;
    double mean_idf;

    /* Lengths over the mean, one for each class of documents that are as long.  Where
     * there are too many different ones class_of is null and a class is a document. */
    double *length;
    uint32_t n_lengths;
    uint16_t *class_of;
    double *f; /* by class and frequency below ASSAY_BM25_TFS; null where class_of is */

    /* Upper bounds: f as a byte for each posting, blocks with their highest byte, and the
     * highest and lowest f that a byte stands for. */
    uint8_t *code;
    uint8_t *code_of; /* of f[] */
    assay_bm25_block *block;
    double f_high[ASSAY_BM25_CODES];
    double f_low[ASSAY_BM25_CODES];
};

static inline double assay_bm25_length(const assay_bm25 *b, uint32_t doc)
{
    return b->length[b->class_of ? b->class_of[doc] : doc];
}

/* f of posting number `posting`, which is of `doc`. */
static inline double assay_bm25_f(const assay_bm25 *b, uint64_t posting, uint32_t doc)
{
    const assay_postings *p = b->postings;
    uint32_t text = p->tf_text[posting];
    assay_tf tf;
    double sum;

    if (b->class_of && text < ASSAY_BM25_TFS && !(p->tf_title && p->tf_title[posting]))
        return b->f[(size_t)b->class_of[doc] * ASSAY_BM25_TFS + text];
    tf = assay_postings_tf(p, posting);
    sum = tf.text + b->params.title * tf.title;
    /* Nothing, where it is only in a title that weighs nothing. */
    return sum > 0 ? b->variant->f(&b->params, sum, assay_bm25_length(b, doc)) : 0;
}

/* To the nearest multiple of 2^-36: what is added up is below 2^16, so that a double has
 * room for every bit of a sum. */
static inline double assay_bm25_round(double part)
{
    const double shift = 0x1.8p16; /* 2^(52 - 36) * 1.5 */

    return part + shift - shift;
}

/* One different term of a query. */
typedef struct assay_bm25_term {
    uint32_t term;
    uint32_t times;
    double idf;
    double weight; /* idf * times */
} assay_bm25_term;

struct assay_bm25_search {
    const assay_bm25 *bm25;
    assay_bm25_term *term; /* of the query, ascending */
    size_t n_terms;
    size_t cap_terms;
    assay_bm25_hit *heap; /* the best so far, worst first */
    size_t cap_heap;
    assay_bm25_part *part;
    size_t cap_part;
    struct assay_bm25_leg *leg; /* bm25_top.c's view of the terms */
    size_t cap_leg;
    uint16_t *sum;     /* of a window: upper bounds; zeros between windows */
    double *exact;     /* scores of a window or of what was found in it */
    uint8_t *is_there; /* of a window, for top_all */
    uint32_t *found;   /* candidates of a window: bound << 16 | place */
    uint32_t *chosen;  /* those that are scored together */
};

/* Look up the terms of `query` that the index has; false: no memory. */
bool assay_bm25_terms(assay_bm25_search *search, const assay_tokens *query);

/* Room for k hits; false: no memory. */
bool assay_bm25_room(assay_bm25_search *search, uint32_t k);

/* Offer a hit to the heap of at most k; *n is how many it holds. */
void assay_bm25_offer(assay_bm25_hit *heap, uint32_t k, uint32_t *n, assay_bm25_hit hit);

/* Put the heap in order, best first, into hit[]. */
void assay_bm25_sorted(const assay_bm25_hit *heap, uint32_t n, assay_bm25_hit *hit);

#endif
