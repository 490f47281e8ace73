/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of a Markdown text, found line by line: where they begin and end in bytes.
 *
 * Block structure is that of CommonMark with pipe tables, plus front matter (--- or +++).
 * What stands inside a quote or a list item is part of it and not looked at further, so
 * only headings that are not inside one are headings of the document. */
#ifndef ASSAY_CORPUS_MARKDOWN_H
#define ASSAY_CORPUS_MARKDOWN_H

#include <stdbool.h>

#include "assay.h"
#include "base/span.h"

typedef enum assay_md_kind {
    ASSAY_MD_PARAGRAPH,
    ASSAY_MD_HEADING, /* both kinds: # before, or === below */
    ASSAY_MD_CODE,    /* fenced or indented */
    ASSAY_MD_TABLE,
    ASSAY_MD_ITEM, /* of a list, with all that is in it */
    ASSAY_MD_QUOTE,
    ASSAY_MD_HTML,
    ASSAY_MD_RULE,
    ASSAY_MD_FRONT
} assay_md_kind;

typedef struct assay_md_block {
    assay_md_kind kind;
    uint32_t level;   /* of a heading, 1 to 6 */
    assay_slice text; /* of a heading: without marks and white space around it */
    assay_span span;  /* from the beginning of its first line to the end of its last that
                         is not blank, without the line break */
} assay_md_block;

/* Gets one block; false stops the scan. */
typedef bool assay_md_sink(void *ctx, const assay_md_block *block);

/* Hand the blocks of `text` to `sink` in order.  Every line that is not blank is in
 * exactly one of them.  False when the sink stopped it.  Takes no memory. */
bool assay_md_scan(assay_slice text, assay_md_sink *sink, void *ctx);

#endif
