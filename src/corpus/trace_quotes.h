/* SPDX-License-Identifier: Apache-2.0 */
/* Quotes whose document is not known, traced to bytes of today's texts of a corpus.
 *
 * All quotes go over the corpus together, document by document; the ladder of locate.h
 * decides over all documents at once. */
#ifndef ASSAY_CORPUS_TRACE_QUOTES_H
#define ASSAY_CORPUS_TRACE_QUOTES_H

#include "corpus/trace.h"

/* Look for quote[0..n) in the corpus file `path`; traced[i] belongs to quote[i] and lives
 * in `arena`: RESOLVED with its document and one span, AMBIGUOUS with the first place, or
 * LOST.  It has no lines, chunking or reason.  The result is the same for any number of
 * threads (0 = one a core); memory is bounded by the quotes, the number of documents and
 * the largest of them, one a thread. */
ASSAY_MUST_USE assay_status assay_trace_quotes(const char *path, const assay_slice *quote,
                                               size_t n, uint32_t n_threads,
                                               assay_arena *arena, assay_traced *traced,
                                               assay_error *err);

#endif
