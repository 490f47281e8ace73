/* SPDX-License-Identifier: Apache-2.0 */
/* A starter set from the headings of a corpus: questions that a person must check.
 *
 * Every section with a sentence of its own is a candidate.  Those with the most text come
 * first within a document, and the documents take turns, so that the set is spread over
 * them.  A question is made from the heading, in Korean where the heading is; its anchor is
 * the first sentence of the section. */
#ifndef ASSAY_PIPELINE_DRAFT_H
#define ASSAY_PIPELINE_DRAFT_H

#include "base/buffer.h"
#include "corpus/corpus.h"
#include "golden/golden.h"

/* Append up to `n` drafts to `out`, as the JSON lines that golden/additions.h reads; *made
 * says how many.  Questions that `base` (or null) has already are left out. */
ASSAY_MUST_USE assay_status assay_draft(assay_corpus *corpus, uint32_t n,
                                        const assay_golden *base, assay_buffer *out,
                                        uint32_t *made, assay_error *err);

/* The question about the section `heading` in `about` (its parent's heading or the
 * document's title; "" = nothing to add). */
void assay_draft_question(assay_slice heading, assay_slice about, assay_buffer *out);

#endif
