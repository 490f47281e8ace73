/* SPDX-License-Identifier: Apache-2.0 */
/* md-heading: Markdown by headings and blocks.
 *
 * A heading begins a chunk.  Within a section blocks are put together up to the target;
 * code, tables and all other blocks stay whole up to the maximum.  Nothing is repeated
 * across a heading, so that the chunks of a section depend on that section only.  In plain
 * text the blocks are paragraphs and the sections pages; in code, lines between blank
 * lines, and a chunk rather ends where something begins in the first column. */
#include <string.h>

#include "base/scan.h"
#include "corpus/markdown.h"
#include "corpus/packer.h"

static bool take_block(void *ctx, const assay_md_block *block)
{
    assay_packer *packer = ctx;
    assay_md_kind kind = block->kind;

    if (kind == ASSAY_MD_HEADING) {
        assay_cutting_heading(packer->out, block->span.start, block->level, block->text);
        assay_packer_head(packer, block->span);
    } else {
        assay_packer_add(packer, block->span,
                         kind == ASSAY_MD_PARAGRAPH || kind == ASSAY_MD_ITEM ||
                             kind == ASSAY_MD_QUOTE);
    }
    return !packer->out->has_failed;
}

static void cut_plain(assay_packer *packer, assay_slice text, uint64_t at)
{
    while (at < text.len) {
        const char *feed = memchr(text.ptr + at, '\f', text.len - at);
        uint64_t end = feed ? (uint64_t)(feed - text.ptr) : text.len;
        assay_span paragraph;

        while (assay_cutting_paragraph(text, &at, end, &paragraph))
            assay_packer_add(packer, paragraph, true);
        assay_packer_flush(packer);
        at = end + 1;
    }
}

static void cut_code(assay_packer *packer, assay_slice text, uint64_t at)
{
    assay_span lines;

    while (assay_cutting_paragraph(text, &at, text.len, &lines)) {
        char first = text.ptr[lines.start];

        if (packer->end - packer->start >= packer->target / 2 &&
            !assay_scan_is_space(first) && first != '}')
            assay_packer_flush(packer);
        assay_packer_add(packer, lines, false);
    }
}

static bool cut(const assay_chunking *chunking, const assay_document *doc,
                assay_arena *arena, assay_chunks *out)
{
    assay_cutting cutting = assay_cutting_of(doc, arena);
    assay_packer packer = assay_packer_of(chunking, &cutting);

    switch (doc->form) {
    case ASSAY_FORM_MARKDOWN: (void)assay_md_scan(doc->text, take_block, &packer); break;
    case ASSAY_FORM_PLAIN: cut_plain(&packer, doc->text, cutting.body); break;
    case ASSAY_FORM_CODE: cut_code(&packer, doc->text, cutting.body); break;
    }
    assay_packer_end(&packer);
    return assay_cutting_finish(&cutting, out);
}

const assay_chunker assay_chunker_md_heading = {
    .name = "md-heading",
    .summary = "Markdown by headings and blocks; plain text by paragraphs, code by lines",
    .version = 1,
    .is_structural = true,
    .param = {ASSAY_PACK_PARAMS(500, 80)},
    .cut = cut,
    .check = assay_packer_check,
};
