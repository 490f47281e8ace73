/* SPDX-License-Identifier: Apache-2.0 */
/* The retrievers under a fusion. */
#ifndef ASSAY_RETRIEVE_LEGS_H
#define ASSAY_RETRIEVE_LEGS_H

#include "retrieve/fusion.h"
#include "retrieve/shared.h"

typedef struct assay_legs {
    const assay_retriever *retriever[ASSAY_LEGS_MOST];
    void *state[ASSAY_LEGS_MOST];
    uint32_t n;
    uint32_t n_passages;
    assay_shared own; /* those that nobody shares */
} assay_legs;

/* Open the retrievers of `names` ("bm25+dense").  Parameters of source->params that
 * begin with a leg's name and a dot are the leg's: bm25.k1=0.9.  Zeroed *legs before;
 * on failure nothing is open. */
ASSAY_MUST_USE assay_status assay_legs_open(assay_legs *legs, assay_slice names,
                                            const assay_retrieve_source *source,
                                            assay_error *err);
void assay_legs_close(assay_legs *legs);

/* The parameters without a dot: the fusion's own.  Written to `out`. */
void assay_legs_own_params(assay_slice params, assay_buffer *out);

/* "bm25(...)+lsa...": the identities of all, with plus signs between. */
void assay_legs_identity(const assay_legs *legs, assay_buffer *out);

/* The embedder of the first leg that has one, or null. */
const assay_embedding *assay_legs_embedding(const assay_legs *legs);

/* Name of a leg, null past the last. */
const char *assay_legs_name(const assay_legs *legs, uint32_t leg);

typedef struct assay_legs_worker {
    const assay_legs *legs;
    void *worker[ASSAY_LEGS_MOST];
    assay_retrieved *hit; /* scratch, one leg at a time */
    uint32_t *item;       /* all legs, `room` each */
    double *score;
    uint32_t room;
    assay_fuser fuser;
} assay_legs_worker;

ASSAY_MUST_USE assay_status assay_legs_worker_open(assay_legs_worker *worker,
                                                   const assay_legs *legs,
                                                   assay_error *err);
void assay_legs_worker_close(assay_legs_worker *worker);

/* Ask every leg for `depth` hits; leg[0..n) points into the worker. */
ASSAY_MUST_USE assay_status assay_legs_search(assay_legs_worker *worker,
                                              assay_slice query, uint32_t depth,
                                              assay_leg *leg, assay_error *err);

/* Lines for people: each leg's explanation under its name. */
ASSAY_MUST_USE assay_status assay_legs_explain(assay_legs_worker *worker,
                                               assay_slice query, uint32_t passage,
                                               assay_buffer *out, assay_error *err);

#endif
