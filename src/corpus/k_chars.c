/* SPDX-License-Identifier: Apache-2.0 */
/* chars: windows of a fixed number of characters, byte for byte as they stand. */
#include "base/error.h"
#include "base/utf8.h"
#include "corpus/cutting.h"

enum { SIZE, OVERLAP };

static bool cut(const assay_chunking *chunking, const assay_document *doc,
                assay_arena *arena, assay_chunks *out)
{
    assay_cutting cutting = assay_cutting_of(doc, arena);
    assay_slice text = doc->text;
    size_t step = chunking->value[SIZE] - chunking->value[OVERLAP];
    size_t start = cutting.body;
    size_t end = assay_utf8_skip(text, start, chunking->value[SIZE]);

    while (start < text.len && !cutting.has_failed) {
        assay_cutting_add_exact(&cutting, start, end);
        if (end == text.len)
            break;
        start = assay_utf8_skip(text, start, step);
        end = assay_utf8_skip(text, end, step);
    }
    assay_cutting_find_headings(&cutting, doc);
    return assay_cutting_finish(&cutting, out);
}

static assay_status check(const assay_chunking *chunking, assay_error *err)
{
    if (chunking->value[OVERLAP] < chunking->value[SIZE])
        return ASSAY_OK;
    return assay_fail(err, ASSAY_EUSAGE, "%s: overlap=%u is not less than size=%u",
                      chunking->chunker->name, chunking->value[OVERLAP],
                      chunking->value[SIZE]);
}

const assay_chunker assay_chunker_chars = {
    .name = "chars",
    .summary = "windows of a fixed number of characters (code points)",
    .version = 1,
    .param = {{"size", 1000, 1, 100000000, "characters in a window"},
              {"overlap", 0, 0, 99999999, "characters shared with the window before"}},
    .cut = cut,
    .check = check,
};
