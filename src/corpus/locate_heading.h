/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence named by a heading: "Refunds", or a path "Refunds > Approval". */
#ifndef ASSAY_CORPUS_LOCATE_HEADING_H
#define ASSAY_CORPUS_LOCATE_HEADING_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/span.h"
#include "corpus/chunker.h"
#include "corpus/document.h"

/* The headings of one document with their folded paths, made when first asked for.
 * Zero-initialised is ready. */
typedef struct assay_headings {
    bool is_made;
    assay_chunks all;
    assay_slice *path; /* by heading, folded */
    assay_arena arena;
} assay_headings;

/* The sections whose heading's title is `name`, or whose path is or ends with it, compared
 * folded; at most `most`, into out[0..*n), ascending.  A path that is all of `name` counts
 * before those that only end with it.  False: no memory. */
bool assay_headings_match(assay_headings *h, const assay_document *doc, assay_slice name,
                          assay_span *out, size_t most, size_t *n);

void assay_headings_clear(assay_headings *h);

#endif
