/* SPDX-License-Identifier: Apache-2.0 */
/* Where to cut a quote in pieces.
 *
 * Any cut finds the same places; what it decides is how often a piece stands in the text
 * by chance.  A common phrase needs a long piece to be as rare as a short one of odd
 * words, so pieces get equal shares of the quote's information, not of its length.  The
 * information of a byte is taken from how often it follows the four before it in a sample
 * of the text. */
#ifndef ASSAY_CORPUS_LOCATE_CUT_H
#define ASSAY_CORPUS_LOCATE_CUT_H

#include "assay.h"

typedef struct assay_cutter assay_cutter;

/* Count the grams of a sample; of a long text only parts are taken.  Null: no memory. */
assay_cutter *assay_cutter_new(assay_slice sample);
void assay_cutter_free(assay_cutter *c);

/* Cut `quote`, of `length` code points, into n pieces of at least ASSAY_CUT_LEAST code
 * points: end[i] is where piece i ends.  Without a cutter the lengths are equal.
 * length >= n * ASSAY_CUT_LEAST. */
enum { ASSAY_CUT_LEAST = 5 };
void assay_cutter_cut(const assay_cutter *c, assay_slice quote, uint32_t length,
                      uint32_t n, uint32_t *end);

#endif
