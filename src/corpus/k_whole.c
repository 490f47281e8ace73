/* SPDX-License-Identifier: Apache-2.0 */
/* whole: the document is the chunk. */
#include "corpus/cutting.h"

static bool cut(const assay_chunking *chunking, const assay_document *doc,
                assay_arena *arena, assay_chunks *out)
{
    assay_cutting cutting = assay_cutting_of(doc, arena);

    (void)chunking;
    assay_cutting_add(&cutting, cutting.body, doc->text.len);
    return assay_cutting_finish(&cutting, out);
}

const assay_chunker assay_chunker_whole = {
    .name = "whole",
    .summary = "the whole document as one chunk",
    .version = 1,
    .cut = cut,
};
