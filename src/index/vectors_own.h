/* SPDX-License-Identifier: Apache-2.0 */
/* What vectors.c and vectors_search.c share. */
#ifndef ASSAY_INDEX_VECTORS_OWN_H
#define ASSAY_INDEX_VECTORS_OWN_H

#include "index/vectors.h"

struct assay_vectors {
    float *row;          /* null where only codes are kept */
    int8_t *code;        /* null where only floats are kept */
    float *scale;        /* of each row's codes */
    double longest;      /* length of the longest row */
    double longest_code; /* and of the longest row of codes, times its scale */
    double farthest;     /* largest distance of a row from its codes */
    uint32_t n;
    uint32_t dims;
    bool is_dot;
};

/* A query as whole numbers: q is about code * scale. */
typedef struct assay_query_code {
    int16_t *code;
    double scale;
    double lost;   /* distance of the query from its codes */
    double length; /* of the query */
} assay_query_code;

void assay_vectors_encode(const float *query, uint32_t dims, assay_query_code *out);

/* The score of one row, always by the same kernel. */
double assay_vectors_score(const assay_vectors *v, const float *query,
                           const assay_query_code *code, uint32_t row);

#endif
