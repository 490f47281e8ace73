/* SPDX-License-Identifier: Apache-2.0 */
/* paragraph: lines between blank lines, put together up to the target.  Headings and
 * fences mean nothing here; pages (form feeds) end a paragraph. */
#include <string.h>

#include "corpus/packer.h"

static bool cut(const assay_chunking *chunking, const assay_document *doc,
                assay_arena *arena, assay_chunks *out)
{
    assay_cutting cutting = assay_cutting_of(doc, arena);
    assay_packer packer = assay_packer_of(chunking, &cutting);
    assay_slice text = doc->text;

    for (uint64_t at = cutting.body, end; at < text.len; at = end + 1) {
        const char *feed = memchr(text.ptr + at, '\f', text.len - at);
        assay_span paragraph;

        end = feed ? (uint64_t)(feed - text.ptr) : text.len;
        while (assay_cutting_paragraph(text, &at, end, &paragraph))
            assay_packer_add(&packer, paragraph, doc->form != ASSAY_FORM_CODE);
    }
    assay_packer_end(&packer);
    assay_cutting_find_headings(&cutting, doc);
    return assay_cutting_finish(&cutting, out);
}

const assay_chunker assay_chunker_paragraph = {
    .name = "paragraph",
    .summary = "paragraphs between blank lines; target=1 makes each a chunk of its own",
    .version = 1,
    .param = {ASSAY_PACK_PARAMS(200, 0)},
    .cut = cut,
    .check = assay_packer_check,
};
