/* SPDX-License-Identifier: Apache-2.0 */
/* words: windows of a fixed number of words.
 *
 * A word is what stands between white space; each Chinese or Japanese character is one, and
 * what goes on for more than LONGEST bytes is cut there, so that a window never becomes the
 * whole text for want of blanks. */
#include <string.h>

#include "base/error.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "corpus/cutting.h"

enum { SIZE, OVERLAP, LONGEST = 256 };

static bool is_a_word(uint32_t c)
{
    return (c >= 0x3041 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

/* The end of the word at `at`, which is no white space. */
static size_t word_end(assay_slice text, size_t at)
{
    size_t start = at;

    while (at < text.len && at - start < LONGEST && !assay_scan_is_space(text.ptr[at])) {
        size_t n = 1;

        if ((unsigned char)text.ptr[at] >= 0x80 &&
            is_a_word(assay_utf8_get((assay_slice){text.ptr + at, text.len - at}, &n)))
            return at == start ? at + n : at;
        at += n;
    }
    return at;
}

/* Past n words from `at` on: the beginning of the next; *end is the last one's end. */
static size_t skip_words(assay_slice text, size_t at, uint32_t n, size_t *end)
{
    for (; n && at < text.len; n--) {
        *end = word_end(text, at);
        at = assay_cutting_skip_space(text, *end, text.len);
    }
    return at;
}

static bool cut(const assay_chunking *chunking, const assay_document *doc,
                assay_arena *arena, assay_chunks *out)
{
    assay_cutting cutting = assay_cutting_of(doc, arena);
    assay_slice text = doc->text;
    uint32_t step = chunking->value[SIZE] - chunking->value[OVERLAP];
    size_t start = assay_cutting_skip_space(text, cutting.body, text.len);
    size_t end = start;
    size_t ignored;
    size_t next = skip_words(text, start, chunking->value[SIZE], &end);

    while (start < text.len && !cutting.has_failed) {
        assay_cutting_add_exact(&cutting, start, end);
        if (next == text.len)
            break;
        start = skip_words(text, start, step, &ignored);
        next = skip_words(text, next, step, &end);
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

const assay_chunker assay_chunker_words = {
    .name = "words",
    .summary = "windows of a fixed number of words",
    .version = 1,
    .param = {{"size", 200, 1, 100000000,
               "words in a window; a Chinese or Japanese character is one"},
              {"overlap", 20, 0, 99999999, "words shared with the window before"}},
    .cut = cut,
    .check = check,
};
