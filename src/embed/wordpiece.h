/* SPDX-License-Identifier: Apache-2.0 */
/* Texts to numbers of word pieces, as BERT's tokenizers do it. */
#ifndef ASSAY_EMBED_WORDPIECE_H
#define ASSAY_EMBED_WORDPIECE_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/dict.h"

enum { ASSAY_WORDPIECE_SPECIAL = 5 };

typedef struct assay_wordpiece {
    assay_dict vocab;
    uint32_t *id; /* of each piece, by its number in vocab */
    size_t id_cap;
    assay_arena arena;
    uint32_t n_ids;      /* largest id + 1 */
    size_t longest;      /* bytes of the longest piece */
    uint32_t most_chars; /* a longer word is unknown */
    /* [CLS], [SEP], [UNK], [PAD], [MASK]: their ids, ASSAY_NONE = not there */
    uint32_t special[ASSAY_WORDPIECE_SPECIAL];
    bool is_clean;    /* control characters are dropped */
    bool splits_cjk;  /* each Chinese character is a word */
    bool is_lower;    /* case is folded */
    bool is_stripped; /* accents are dropped */
} assay_wordpiece;

/* Read a vocab.txt, a piece a line, numbered from 0; or a tokenizer.json, with what it
 * says of the normaliser.  On failure *out is empty. */
ASSAY_MUST_USE assay_status assay_wordpiece_read_lines(const char *path, assay_slice text,
                                                       assay_wordpiece *out,
                                                       assay_error *err);
ASSAY_MUST_USE assay_status assay_wordpiece_read_json(const char *path, assay_slice text,
                                                      assay_wordpiece *out,
                                                      assay_error *err);

/* Scratch space of one thread; zeroed is ready. */
typedef struct assay_pieces {
    uint32_t *id; /* the result */
    size_t n;
    size_t cap;
    assay_buffer word;
    assay_buffer piece;
    size_t most;
} assay_pieces;

/* [CLS], the pieces of the texts one behind the other, [SEP]: at most `most` ids (2 or
 * more).  False: no memory. */
bool assay_wordpiece_cut(const assay_wordpiece *w, assay_slice text, size_t most,
                         assay_pieces *out);

void assay_pieces_clear(assay_pieces *pieces);
void assay_wordpiece_clear(assay_wordpiece *w);

#endif
