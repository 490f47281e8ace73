/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors in memory and the nearest of them, exactly.
 *
 * A score is the inner product in double precision, in a fixed order (base/dot.h).  A
 * fast pass in float finds everything that could be among the best k, with the worst
 * rounding error as margin; what it finds is scored again by that one kernel.  So a query
 * has the same answer, to the bit, alone and in a batch, for any number of threads, and
 * on any machine. */
#ifndef ASSAY_INDEX_VECTORS_H
#define ASSAY_INDEX_VECTORS_H

#include <stdbool.h>

#include "assay.h"

typedef struct assay_vectors assay_vectors;

typedef struct assay_vectors_options {
    bool is_dot;  /* inner product of vectors as they are; else of length 1: cosine */
    bool is_lean; /* do without the byte codes beside the floats: a fifth less memory,
                   * and single queries take about three times as long */
    uint32_t n_threads;
} assay_vectors_options;

typedef struct assay_near {
    double score;
    uint32_t row;
} assay_near;

/* Take `row`, n rows of dims floats from assay_mem_alloc: on success they belong to *out
 * and may have changed, on failure they are still the caller's.  Numbers that are not
 * finite, or a length above 1e18, are ASSAY_EINPUT. */
ASSAY_MUST_USE assay_status assay_vectors_new(float *row, uint32_t n, uint32_t dims,
                                              const assay_vectors_options *options,
                                              assay_vectors **out, assay_error *err);
void assay_vectors_free(assay_vectors *v);

uint32_t assay_vectors_n(const assay_vectors *v);
uint32_t assay_vectors_dims(const assay_vectors *v);
size_t assay_vectors_bytes(const assay_vectors *v);

/* For n_queries queries the best k rows: hit[i * k] and the n_hits[i] behind it, best
 * first, of equal scores the higher row first.  A query that is all 0 has no hits. */
ASSAY_MUST_USE assay_status assay_vectors_search(const assay_vectors *v,
                                                 const float *query, size_t n_queries,
                                                 uint32_t k, uint32_t n_threads,
                                                 assay_near *hit, uint32_t *n_hits,
                                                 assay_error *err);

/* What storage as int8 loses, for vectors that have both: of the best k of up to n_probe
 * rows taken as queries, the share that the codes alone find too. */
ASSAY_MUST_USE assay_status assay_vectors_loss(const assay_vectors *v, uint32_t n_probe,
                                               uint32_t k, uint32_t n_threads,
                                               double *recall, assay_error *err);

/* Keep the codes alone: a fifth of the memory, and scores that are off by a little.  Does
 * nothing where there are no codes. */
void assay_vectors_drop_floats(assay_vectors *v);

#endif
