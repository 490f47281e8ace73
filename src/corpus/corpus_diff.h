/* SPDX-License-Identifier: Apache-2.0 */
/* Two corpora side by side, or one under two chunkings: which documents and chunks came,
 * went, changed.
 *
 * Chunks are the same when their ids are.  Where the chunkings differ no id can be, so
 * there they are the same when their text is, within one document. */
#ifndef ASSAY_CORPUS_CORPUS_DIFF_H
#define ASSAY_CORPUS_CORPUS_DIFF_H

#include "corpus/corpus.h"

typedef enum assay_doc_change {
    ASSAY_DOC_SAME,
    ASSAY_DOC_ADDED,   /* only in b */
    ASSAY_DOC_REMOVED, /* only in a */
    ASSAY_DOC_CHANGED, /* text, title, form or extractor */
    ASSAY_DOC_N
} assay_doc_change;

/* "same", "added", "removed", "changed". */
const char *assay_doc_change_name(assay_doc_change change);

typedef struct assay_doc_diff {
    assay_slice id;
    assay_doc_change change;
    uint64_t a_bytes; /* 0 where it is not there */
    uint64_t b_bytes;
    uint32_t n_kept; /* chunks in both */
    uint32_t n_gone; /* only in a */
    uint32_t n_new;  /* only in b */
} assay_doc_diff;

typedef struct assay_corpus_diff {
    uint64_t n_docs[ASSAY_DOC_N];
    uint64_t n_kept;
    uint64_t n_gone;
    uint64_t n_new;
    bool is_by_text; /* the chunkings differ */
} assay_corpus_diff;

typedef assay_status assay_doc_diff_visit(void *ctx, const assay_doc_diff *diff,
                                          assay_error *err);

/* Compare `a` with `b`, or, where `chunking` is not null, with the same documents cut by
 * that (`b` is then not used).  Documents that differ, in themselves or in their chunks,
 * are visited in byte order of their ids; slices hold during the call. */
ASSAY_MUST_USE assay_status assay_corpus_compare(assay_corpus *a, assay_corpus *b,
                                                 const assay_chunking *chunking,
                                                 assay_doc_diff_visit *visit, void *ctx,
                                                 assay_corpus_diff *out,
                                                 assay_error *err);

#endif
