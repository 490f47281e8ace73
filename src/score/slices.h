/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregates by a property of the queries: language, difficulty, a tag ... */
#ifndef ASSAY_SCORE_SLICES_H
#define ASSAY_SCORE_SLICES_H

#include "score/score.h"

typedef struct assay_slices {
    const char *key;
    uint32_t min_n;
    uint32_t n;          /* values that are shown */
    assay_slice *value;  /* bytes ascending */
    uint32_t *n_rows;    /* queries that have the value */
    assay_total *total;  /* n x columns; a cell below min_n has no value, but its n */
    uint32_t n_withheld; /* values without a single cell that reaches min_n */
    uint32_t rows_withheld;
} assay_slices;

#endif
