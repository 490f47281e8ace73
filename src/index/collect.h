/* SPDX-License-Identifier: Apache-2.0 */
/* First half of building an index: texts to (document, term, frequency), in chunks of
 * documents, with terms numbered by each worker.  For postings_build.c. */
#ifndef ASSAY_INDEX_COLLECT_H
#define ASSAY_INDEX_COLLECT_H

#include <stdbool.h>

#include "base/pool.h"
#include "index/postings.h"
#include "index/vocabulary.h"

enum { ASSAY_CHUNK_DOCS = 1024 };

/* The distinct terms of each document of a chunk, document by document. */
typedef struct assay_collected {
    uint32_t worker; /* whose numbers `term` holds, until they are replaced */
    uint32_t *term;
    uint8_t *text;  /* frequency in the text; ASSAY_TF_MANY: in many[] */
    uint8_t *title; /* and in the title */
    size_t n;
    size_t cap;
    assay_tf_many *many; /* posting = index in term[] */
    size_t n_many;
    size_t cap_many;
} assay_collected;

typedef struct assay_collector {
    assay_token_worker *tokens;
    assay_vocabulary terms;
    uint64_t *hash; /* of one text's terms */
    size_t cap_hash;
    uint32_t *count; /* of one document: text and title of each distinct term */
    size_t cap_count;
    uint64_t n_text;
    uint64_t n_title;
    bool has_failed;
} assay_collector;

typedef struct assay_collection {
    const assay_passages *passages;
    assay_collector collector[ASSAY_POOL_MOST];
    assay_collected *chunk;
    size_t n_chunks;
    uint32_t *n_unique; /* by document: distinct terms */
    uint32_t *len_text;
    uint32_t *len_title;
} assay_collection;

/* Fill a zeroed *out; len_text and len_title are the caller's arrays.  Clear it in any
 * case. */
ASSAY_MUST_USE assay_status assay_collect(const assay_passages *passages,
                                          const assay_tokenizing *tokenizing,
                                          uint32_t n_threads, assay_collection *out,
                                          assay_error *err);

void assay_collected_clear(assay_collected *chunk);
void assay_collection_clear(assay_collection *collection);

#endif
