/* SPDX-License-Identifier: Apache-2.0 */
/* The largest singular values of a sparse matrix, and the directions that go with them. */
#ifndef ASSAY_EMBED_SVD_H
#define ASSAY_EMBED_SVD_H

#include "embed/term_matrix.h"

typedef struct assay_svd {
    float *direction; /* n_terms x dims: row t has the weight of term t in each */
    double *value;    /* singular values, largest first */
    uint32_t dims;    /* may be fewer than were asked for: the rank of the matrix */
    uint32_t n_terms;
} assay_svd;

/* By subspace iteration from random directions (Halko, Martinsson, Tropp 2011).  The same
 * bits for any number of threads. */
ASSAY_MUST_USE assay_status assay_svd_of(const assay_term_matrix *m, uint32_t dims,
                                         uint32_t rounds, uint64_t seed,
                                         uint32_t n_threads, assay_svd *out,
                                         assay_error *err);
void assay_svd_clear(assay_svd *svd);

#endif
