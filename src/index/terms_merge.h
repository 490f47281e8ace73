/* SPDX-License-Identifier: Apache-2.0 */
/* The workers' vocabularies as one dictionary, ordered by hash and bytes, so that it does
 * not depend on who met which term.  For postings_build.c. */
#ifndef ASSAY_INDEX_TERMS_MERGE_H
#define ASSAY_INDEX_TERMS_MERGE_H

#include "index/collect.h"

typedef struct assay_terms {
    uint32_t n;
    uint64_t *hash;
    uint64_t *at; /* n + 1 */
    char *bytes;
    uint32_t *bucket;
    uint32_t bucket_shift;
    uint32_t *map[ASSAY_POOL_MOST]; /* worker's number -> number here */
} assay_terms;

/* Fill a zeroed *out; clear it in any case. */
ASSAY_MUST_USE assay_status assay_terms_merge(const assay_collection *from,
                                              uint32_t n_threads, assay_terms *out,
                                              assay_error *err);

/* Release all that is still there: what was taken over is set to null before. */
void assay_terms_clear(assay_terms *terms);

#endif
