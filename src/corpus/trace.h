/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence, however it is named, traced to bytes of today's texts of a corpus.
 *
 * A clue is a document, a quote, place or heading in one, or the id of a chunk.  A chunk
 * of today's version of its document, whatever chunking it was cut by, stands for its
 * spans.  One of an older version stands for its old text, which is looked for in today's
 * text as a quote is, its old place being the hint.
 *
 * Clues are sorted by document; documents are worked on in parallel, and each is read
 * once.  The result is the same for any number of threads. */
#ifndef ASSAY_CORPUS_TRACE_H
#define ASSAY_CORPUS_TRACE_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "corpus/locate.h"

typedef enum assay_clue_kind {
    ASSAY_CLUE_DOC,   /* the document is all that is said */
    ASSAY_CLUE_TEXT,  /* a quote, place or heading of `doc` */
    ASSAY_CLUE_CHUNK, /* `chunk`; `doc` is what it is said to be in, or "" */
    ASSAY_CLUE_NONE   /* nothing to look for: comes out as lost, without words */
} assay_clue_kind;

typedef struct assay_clue {
    assay_clue_kind kind;
    assay_slice doc;
    assay_slice chunk;
    assay_sought sought; /* of TEXT */
} assay_clue;

typedef struct assay_traced {
    assay_finding finding;
    assay_rung rung;
    assay_slice doc;        /* the corpus's id; that of the clue when it is lost */
    const assay_span *span; /* ascending and apart; none for DOC and when lost; the first
                               place when ambiguous */
    uint32_t n_spans;
    uint32_t n_places;   /* how often a quote stands there */
    uint32_t distance;   /* edits, of ASSAY_RUNG_EDITED */
    uint64_t first_line; /* only where lines were asked for, and for TEXT; 0 = none */
    uint64_t last_line;
    assay_slice chunking; /* of CHUNK: what it was cut by; "" when it is not known */
    bool is_old;          /* of CHUNK: of a text that is no longer the document's */
    const char *reason;   /* one line; null when resolved */
} assay_traced;

typedef struct assay_trace_options {
    uint32_t n_threads; /* 0 = one a core */
    bool with_lines;    /* of chunks too: their documents are read for it */
} assay_trace_options;

/* Trace clue[0..n) in the corpus file `path`; traced[i] belongs to clue[i] and lives in
 * `arena`.  Memory beyond the result is bounded by the largest documents, one a thread. */
ASSAY_MUST_USE assay_status assay_trace(const char *path, const assay_clue *clue,
                                        size_t n, const assay_trace_options *options,
                                        assay_arena *arena, assay_traced *traced,
                                        assay_error *err);

#endif
