/* SPDX-License-Identifier: Apache-2.0 */
/* What an index is built over: passages in memory, in the order of their numbers.
 *
 * A passage is a chunk of a corpus, or a whole document where the golden set brings its
 * own documents (evalvault, BEIR).  Every slice points into memory that the owner of the
 * passages keeps. */
#ifndef ASSAY_CORPUS_PASSAGES_H
#define ASSAY_CORPUS_PASSAGES_H

#include "assay.h"
#include "base/arena.h"
#include "base/span.h"

typedef struct assay_passage {
    assay_slice id;    /* chunk id, or the document's id where it is not cut */
    assay_slice doc;   /* document id */
    assay_slice title; /* of the document, "" when there is none */
    assay_slice text;
    const assay_span *span; /* places in the document, or null */
    uint32_t n_spans;
} assay_passage;

/* Ids are all different and in ascending byte order, so that passage numbers order ties:
 * of equal scores the higher number comes first. */
typedef struct assay_passages {
    const assay_passage *item;
    uint32_t n;
} assay_passages;

/* Put n passages in order, in place; ids that stand twice are ASSAY_EINPUT and all named
 * (the first few by name, and how many more). */
ASSAY_MUST_USE assay_status assay_passages_sort(assay_passage *item, uint32_t n,
                                                assay_error *err);

#endif
