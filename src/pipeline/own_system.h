/* SPDX-License-Identifier: Apache-2.0 */
/* One of assay's retrievers as a system: the runner asks it like anybody else's. */
#ifndef ASSAY_PIPELINE_OWN_SYSTEM_H
#define ASSAY_PIPELINE_OWN_SYSTEM_H

#include <stdatomic.h>

#include "retrieve/retrieve.h"
#include "retrieve/system.h"

/* Its state; all borrowed. */
typedef struct assay_own_system {
    const assay_retriever *retriever;
    void *state;
    const assay_passages *passages;
    const atomic_int *stop; /* not 0: what fails now was interrupted; or null */
} assay_own_system;

/* `open` is null: the state is made by hand. */
extern const assay_system assay_own_system_socket;

/* How many legs the hits of a retriever have. */
uint32_t assay_retriever_legs(const assay_retriever *retriever, const void *state);

/* What a retriever found, as hits with ids, spans, scores and legs in `arena`; ids are
 * borrowed from the passages.  False: no memory. */
bool assay_retrieved_hits(const assay_own_system *own, const assay_retrieved *found,
                          uint32_t n, assay_arena *arena, assay_result *out);

#endif
