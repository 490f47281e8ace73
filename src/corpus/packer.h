/* SPDX-License-Identifier: Apache-2.0 */
/* Packing pieces of text (blocks, paragraphs, sentences) into chunks of a target size.
 *
 * Pieces are added in order.  A chunk is closed when the next piece would bring it above
 * the target; the next chunk then begins with the last pieces (or sentences) of the one
 * before, up to the overlap, where that fits.  A piece above the target is a chunk of its
 * own; one above the maximum is split, at a line break, else behind a sentence, else
 * between words, else between characters. */
#ifndef ASSAY_CORPUS_PACKER_H
#define ASSAY_CORPUS_PACKER_H

#include "corpus/cutting.h"

/* Sizes are given in tokens, and a token is three bytes: three letters of English, one of
 * Korean.  An estimate, and the same on every machine. */
enum { ASSAY_TOKEN_BYTES = 3 };

typedef struct assay_packer {
    assay_cutting *out;
    uint64_t target; /* bytes, all three */
    uint64_t overlap;
    uint64_t max;
    uint64_t start;  /* of the open chunk */
    uint64_t end;    /* == start: none is open */
    bool is_head;    /* it holds a heading and nothing else */
    bool is_prose;   /* its last piece is made of sentences */
    uint64_t *piece; /* where the pieces of the open chunk begin */
    size_t n_pieces;
    size_t cap;
} assay_packer;

/* What is said of all that pack: the parameters target, overlap, max, in this order. */
enum { ASSAY_PACK_TARGET, ASSAY_PACK_OVERLAP, ASSAY_PACK_MAX };
#define ASSAY_PACK_PARAMS(target_standard, overlap_standard)               \
    {"target", target_standard, 1, 1000000,                                \
     "tokens (bytes / 3) up to which pieces are put together"},            \
        {"overlap", overlap_standard, 0, 500000,                           \
         "tokens repeated from the chunk before, at most half of target"}, \
    {                                                                      \
        "max", 4000, 4, 1000000, "tokens above which one piece is split"   \
    }

assay_status assay_packer_check(const assay_chunking *chunking, assay_error *err);

assay_packer assay_packer_of(const assay_chunking *chunking, assay_cutting *out);

/* The next piece.  Prose may be repeated by sentences. */
void assay_packer_add(assay_packer *packer, assay_span piece, bool is_prose);

/* The next piece is a heading: it begins a chunk, and stays with what comes next even
 * where that is above the target. */
void assay_packer_head(assay_packer *packer, assay_span piece);

/* Close the open chunk: nothing is repeated across this. */
void assay_packer_flush(assay_packer *packer);

/* Flush, and free what is held. */
void assay_packer_end(assay_packer *packer);

/* Where to end a piece of at most `most` bytes that begins at `start`, in text that goes
 * on to `end`: > least, as the list above says. */
uint64_t assay_packer_break(assay_slice text, uint64_t start, uint64_t least,
                            uint64_t most, uint64_t end);

#endif
