/* SPDX-License-Identifier: Apache-2.0 */
/* Chunk ids into anchors: judgments that name a chunk come to name its words and its
 * place in the document, which outlive the chunker.
 *
 * The quote is the whole text of the chunk, byte for byte: the evidence of an anchor is
 * what its quote covers, so that a shorter quote would be less evidence. */
#ifndef ASSAY_GOLDEN_ANCHOR_H
#define ASSAY_GOLDEN_ANCHOR_H

#include "golden/resolve.h"

typedef enum assay_anchoring {
    ASSAY_ANCHOR_KEPT,  /* nothing to be done */
    ASSAY_ANCHOR_MADE,  /* was a chunk, is a quote with a span */
    ASSAY_ANCHOR_MOVED, /* its place was out of date */
    ASSAY_ANCHOR_STALE, /* lost or ambiguous: stays as it is */
    ASSAY_ANCHOR_UNFIT, /* a chunk in several pieces, or no UTF-8: stays as it is */
    ASSAY_ANCHOR_N
} assay_anchoring;

typedef struct assay_anchored {
    uint8_t *is; /* an assay_anchoring for each item of `resolution` */
    uint32_t count[ASSAY_ANCHOR_N];
} assay_anchored;

/* Change the judgments of `golden`, which `resolution` (with lines) tells of.  *out lives
 * in the golden set's arena. */
ASSAY_MUST_USE assay_status assay_anchor_all(assay_golden *golden,
                                             const assay_resolution *resolution,
                                             const char *corpus, assay_anchored *out,
                                             assay_error *err);

/* Put the file of the golden set into `out` with these changes.  A file of assay's own
 * format (`text`) is edited where the judgments stand; every other is written anew in
 * assay's format, as JSON if is_json.  Then it is read back and compared. */
ASSAY_MUST_USE assay_status assay_anchor_write(const assay_golden *golden,
                                               const assay_resolution *resolution,
                                               const assay_anchored *anchored,
                                               assay_slice text, bool is_json,
                                               assay_buffer *out, assay_error *err);

#endif
