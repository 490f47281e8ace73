/* SPDX-License-Identifier: Apache-2.0 */
/* Several rankings into one.
 *
 *     rrf(k, weights)            sum of weight / (k + rank)                Cormack 2009
 *     wsum(norm, weights)        sum of weight * normalised score
 *     combsum(norm, weights)     the same, under its name in the literature  Fox 1994
 *     combmnz(norm, weights)     combsum * number of legs that have the item
 *
 * Normalisations, of the scores of one leg for one query: minmax (s - min) / (max - min),
 * max s / max |s|, zscore (s - mean) / deviation, rank (n + 1 - rank) / n, none.  Where all
 * scores are equal minmax gives 1 and zscore 0.  An item that a leg does not have gets
 * nothing from it; under zscore, where 0 is the average, it gets the leg's lowest value.
 *
 * Terms are added in the order of the legs: the same bits on every machine. */
#ifndef ASSAY_RETRIEVE_FUSION_H
#define ASSAY_RETRIEVE_FUSION_H

#include <stdbool.h>

#include "assay.h"
#include "base/params.h"
#include "retrieve/retrieve.h"

enum { ASSAY_FUSION_PARAMS = 4 };

typedef struct assay_fusion_method {
    const char *name;
    const char *summary;
    const assay_param *param;
} assay_fusion_method;

/* A method with its parameters. */
typedef struct assay_fusion {
    const assay_fusion_method *method;
    assay_param_value value[ASSAY_FUSION_PARAMS];
    double weight[ASSAY_LEGS_MOST];
    uint32_t n_weights; /* 0 = every leg weighs 1 */
} assay_fusion;

/* Null past the end. */
const assay_fusion_method *assay_fusion_method_at(size_t i);

/* Read `rrf`, `rrf(k=60,weights=0.4:0.6)` ...; values point into `spelling`. */
ASSAY_MUST_USE assay_status assay_fusion_read(assay_slice spelling, assay_fusion *out,
                                              assay_error *err);
void assay_fusion_print(const assay_fusion *fusion, assay_buffer *out);

/* As many weights as legs, or none: else ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_fusion_check(const assay_fusion *fusion,
                                               uint32_t n_legs, assay_error *err);

/* One ranking, best first, no item twice. */
typedef struct assay_leg {
    const uint32_t *item;
    const double *score;
    uint32_t n;
} assay_leg;

/* A worker's scratch space; zeroed is ready. */
typedef struct assay_fuser {
    struct assay_fuse_entry *entry;
    size_t cap_entries;
    assay_retrieved *fused;
    size_t cap_fused;
} assay_fuser;

/* Fuse leg[0..n_legs), n_legs <= ASSAY_LEGS_MOST.  *out (in the fuser, until the next
 * call) has *n items, best first, equal scores by item, higher first; each with its rank
 * and score in every leg.  False: no memory. */
bool assay_fuse(assay_fuser *fuser, const assay_fusion *fusion, const assay_leg *leg,
                uint32_t n_legs, const assay_retrieved **out, uint32_t *n);

void assay_fuser_clear(assay_fuser *fuser);

#endif
