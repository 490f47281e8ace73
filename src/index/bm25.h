/* SPDX-License-Identifier: Apache-2.0 */
/* BM25 over postings: variants, and the exact best k.
 *
 * The score of a document is the sum over the query's different terms of
 *
 *     times in the query * idf(term) * f(tf, length)
 *
 * with tf = tf in text + weight * tf in title, and the length taken the same way (BM25F
 * with one normalisation; a weight of 1 is a title that stands at the head of the text).
 * Each term's part is rounded to a multiple of 2^-36, so that sums are exact: no order of
 * adding, number of threads or way of skipping changes a bit of a score, and the parts
 * that explain shows add up to it. */
#ifndef ASSAY_INDEX_BM25_H
#define ASSAY_INDEX_BM25_H

#include "index/postings.h"

/* What a formula may use beside term and document. */
typedef struct assay_bm25_params {
    double k1;
    double b;
    double epsilon; /* okapi: share of the mean idf in place of a negative one */
    double delta;   /* plus, l: what every occurrence is worth at least */
    double title;   /* weight of the title's terms */
} assay_bm25_params;

typedef struct assay_bm25_variant {
    const char *name;
    const char *summary;
    assay_bm25_params standard;

    /* df passages of n have the term. */
    double (*idf)(double n, double df);

    /* Of tf and the length over the mean one. */
    double (*f)(const assay_bm25_params *params, double tf, double length);

    /* No value of f is above this. */
    double (*f_most)(const assay_bm25_params *params);

    bool lifts_negative; /* an idf below 0 becomes epsilon * mean idf */
} assay_bm25_variant;

/* Null past the end; the first is the standard. */
const assay_bm25_variant *assay_bm25_variant_at(size_t i);
const assay_bm25_variant *assay_bm25_variant_find(assay_slice name);

/* An index ready to be asked: bounds of every block under these parameters. */
typedef struct assay_bm25 assay_bm25;

/* `postings` must outlive *out, which the caller owns. */
ASSAY_MUST_USE assay_status assay_bm25_new(const assay_postings *postings,
                                           const assay_bm25_variant *variant,
                                           const assay_bm25_params *params,
                                           uint32_t n_threads, assay_bm25 **out,
                                           assay_error *err);
void assay_bm25_free(assay_bm25 *bm25);

/* The mean of idf over all terms, negative ones too (okapi; else 0). */
double assay_bm25_mean_idf(const assay_bm25 *bm25);

typedef struct assay_bm25_hit {
    uint32_t doc;
    double score;
} assay_bm25_hit;

/* A thread's scratch space. */
typedef struct assay_bm25_search assay_bm25_search;

ASSAY_MUST_USE assay_status assay_bm25_search_new(const assay_bm25 *bm25,
                                                  assay_bm25_search **out,
                                                  assay_error *err);
void assay_bm25_search_free(assay_bm25_search *search);

/* The best k of all passages that have a term of the query, best first, of equal scores
 * the higher number first.  Terms that come twice count twice.  hit[] has room for k. */
ASSAY_MUST_USE assay_status assay_bm25_top(assay_bm25_search *search,
                                           const assay_tokens *query, uint32_t k,
                                           assay_bm25_hit *hit, uint32_t *n,
                                           assay_error *err);

/* The same by scoring every posting: what the other is compared with. */
ASSAY_MUST_USE assay_status assay_bm25_top_all(assay_bm25_search *search,
                                               const assay_tokens *query, uint32_t k,
                                               assay_bm25_hit *hit, uint32_t *n,
                                               assay_error *err);

/* One term's share of a score. */
typedef struct assay_bm25_part {
    assay_slice term; /* points into the index */
    uint32_t times;   /* in the query */
    uint32_t df;
    assay_tf tf;
    double idf;
    double part;
} assay_bm25_part;

/* The parts of `doc`'s score, the largest first; *part holds until the next call.
 * The parts add up to the score. */
ASSAY_MUST_USE assay_status assay_bm25_explain(assay_bm25_search *search,
                                               const assay_tokens *query, uint32_t doc,
                                               const assay_bm25_part **part, size_t *n,
                                               assay_error *err);

#endif
