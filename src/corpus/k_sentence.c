/* SPDX-License-Identifier: Apache-2.0 */
/* sentence: sentences put together up to the target, whatever the text is built like.  A
 * blank line ends a sentence too. */
#include "corpus/packer.h"
#include "text/sentences.h"

static bool cut(const assay_chunking *chunking, const assay_document *doc,
                assay_arena *arena, assay_chunks *out)
{
    assay_cutting cutting = assay_cutting_of(doc, arena);
    assay_packer packer = assay_packer_of(chunking, &cutting);
    assay_slice text = doc->text;

    for (uint64_t at = cutting.body; !cutting.has_failed;) {
        uint64_t start = assay_cutting_skip_space(text, at, text.len);

        if (start == text.len)
            break;
        at = assay_sentence_end(text, start);
        assay_packer_add(&packer,
                         (assay_span){start, assay_cutting_trim(text, start, at)}, false);
    }
    assay_packer_end(&packer);
    assay_cutting_find_headings(&cutting, doc);
    return assay_cutting_finish(&cutting, out);
}

const assay_chunker assay_chunker_sentence = {
    .name = "sentence",
    .summary = "sentences (also Korean, Chinese, Japanese) up to a target size",
    .version = 1,
    .param = {ASSAY_PACK_PARAMS(128, 0)},
    .cut = cut,
    .check = assay_packer_check,
};
