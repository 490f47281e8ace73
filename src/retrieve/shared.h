/* SPDX-License-Identifier: Apache-2.0 */
/* Retrievers that are open over the same passages: what was built once for one method
 * serves as a leg of another. */
#ifndef ASSAY_RETRIEVE_SHARED_H
#define ASSAY_RETRIEVE_SHARED_H

#include "retrieve/retrieve.h"

/* Zeroed is empty and ready.  One thread opens; then any may search. */
typedef struct assay_shared {
    struct assay_shared_item *item;
    size_t n;
    size_t cap;
} assay_shared;

/* The retriever `name` with `params`, opened over `source` (whose own params are not
 * looked at) unless it is open already.  Its state stays with `shared`.  An unknown name
 * is ASSAY_EUSAGE and lists those there are. */
ASSAY_MUST_USE assay_status assay_shared_open(assay_shared *shared, assay_slice name,
                                              assay_slice params,
                                              const assay_retrieve_source *source,
                                              const assay_retriever **retriever,
                                              void **state, assay_error *err);

/* Close all, the last first: what was built on others goes before them. */
void assay_shared_clear(assay_shared *shared);

#endif
