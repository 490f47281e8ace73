/* SPDX-License-Identifier: Apache-2.0 */
/* What a reranker replies: a score for each document that it was sent.
 *
 *     {"results": [{"index": 1, "relevance_score": 0.9}, ...]}   as most servers have it
 *     {"data": [...]}                                            the same by another name
 *     [{"index": 1, "score": 0.9}, ...]                          without an object around it
 *
 * Both names of the score are read everywhere, and what else stands there is passed over. */
#ifndef ASSAY_RETRIEVE_RERANK_REPLY_H
#define ASSAY_RETRIEVE_RERANK_REPLY_H

#include "assay.h"

/* Fill score[0..n).  Each of the n documents must be there once, with a finite number; what
 * is not so, and a reply that says {"error": ...}, is ASSAY_ESYSTEM in words that begin with
 * `where`. */
ASSAY_MUST_USE assay_status assay_rerank_reply_read(const char *where, assay_slice text,
                                                    uint32_t n, double *score,
                                                    assay_error *err);

#endif
