/* SPDX-License-Identifier: Apache-2.0 */
/* Which term stands how often in which text: a sparse matrix, row by row. */
#ifndef ASSAY_EMBED_TERM_MATRIX_H
#define ASSAY_EMBED_TERM_MATRIX_H

#include "assay.h"
#include "base/arena.h"
#include "base/dict.h"
#include "embed/embed.h"
#include "text/tokenizer.h"

/* Entry e of a row: number of the term and its weight. */
typedef struct assay_term_entry {
    uint32_t term;
    float weight;
} assay_term_entry;

typedef struct assay_term_matrix {
    size_t *first;           /* n_rows + 1 places in entry[] */
    assay_term_entry *entry; /* of a row by term, ascending */
    size_t n_rows;
    uint32_t n_terms;
    uint32_t *df;      /* rows that have the term */
    assay_dict terms;  /* numbers in the order of first appearance */
    assay_arena arena; /* holds the terms */
} assay_term_matrix;

/* Count the terms of n texts (the weights are the counts).  Terms that stand in fewer than
 * least_df texts are left out, and of more than most_terms the rarest.  On failure *out is
 * empty. */
ASSAY_MUST_USE assay_status
assay_term_matrix_count(const assay_tokenizing *tokenizing, assay_embed_text *text,
                        void *ctx, size_t n, uint32_t least_df, uint32_t most_terms,
                        uint32_t n_threads, assay_term_matrix *out, assay_error *err);

/* The entries of one text over the terms of a matrix, into `entry`, which has room for as
 * many as the text has tokens. */
size_t assay_term_matrix_row(const assay_dict *terms, const assay_tokens *tokens,
                             assay_term_entry *entry);

void assay_term_matrix_clear(assay_term_matrix *m);

#endif
