/* SPDX-License-Identifier: Apache-2.0 */
/* Somebody else's reranker: documents and a query go out, a score for each comes back.
 *
 *     http://HOST/PATH, https://...   POST to exactly this address
 *     cmd:PROGRAM ARGUMENTS           a JSON object a line each way; a process each worker
 *
 * The request is {"model"?, "query", "documents": [...], "top_n"}, the reply what
 * rerank_reply.h reads.  With a cassette all calls are recorded, or answered from it. */
#ifndef ASSAY_RETRIEVE_RERANKER_H
#define ASSAY_RETRIEVE_RERANKER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"
#include "base/cassette.h"

typedef struct assay_reranker_settings {
    const char *spelling;
    assay_slice model;   /* "" = the request names none */
    const char *field;   /* what the request calls the documents */
    double timeout_s;    /* of one attempt */
    uint32_t retries;    /* after the first attempt */
    const char *api_key; /* sent to a server as bearer, never shown; or null */
    assay_cassette *cassette;
    const atomic_int *stop;
} assay_reranker_settings;

typedef struct assay_reranker assay_reranker;

/* Settings are copied, but for cassette and stop.  A spelling that is neither is
 * ASSAY_EUSAGE; a server that nobody serves, or a program that does not start, is
 * ASSAY_ESYSTEM. */
ASSAY_MUST_USE assay_status assay_reranker_open(const assay_reranker_settings *settings,
                                                assay_reranker **out, assay_error *err);
void assay_reranker_close(assay_reranker *reranker);

/* Its spelling without what may be secret. */
assay_slice assay_reranker_public(const assay_reranker *reranker);

/* One thread's own. */
typedef struct assay_rerank_worker assay_rerank_worker;

ASSAY_MUST_USE assay_status assay_rerank_worker_open(assay_reranker *reranker,
                                                     assay_rerank_worker **out,
                                                     assay_error *err);
void assay_rerank_worker_close(assay_rerank_worker *worker);

/* score[i] is that of text[i]; all are finite.  Whatever the reranker does wrong is
 * ASSAY_ESYSTEM in words for people. */
ASSAY_MUST_USE assay_status assay_rerank(assay_rerank_worker *worker, assay_slice query,
                                         const assay_slice *text, uint32_t n,
                                         double *score, assay_error *err);

#endif
