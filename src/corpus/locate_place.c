/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/locate_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/locate_fold.h"

enum { BLOCK = 1 << 13 };

static uint64_t count_feeds(const char *p, size_t len)
{
    const char *end = p + len;
    uint64_t n = 0;

    while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        n++;
        p++;
    }
    return n;
}

static uint64_t count_chars(const char *p, size_t len)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t n = len;
    size_t i = 0;

    /* Less the bytes 10xxxxxx. */
    for (; i + 8 <= len; i += 8) {
        uint64_t word = assay_bytes_load(p + i);

        n -= ((word >> 7 & ~word >> 6 & ones) * ones) >> 56;
    }
    for (; i < len; i++)
        n -= ((unsigned char)p[i] & 0xC0) == 0x80;
    return n;
}

static size_t block_length(const assay_placer *p, size_t block)
{
    size_t left = p->text.len - block * BLOCK;

    return left < BLOCK ? left : BLOCK;
}

/* Running totals of `count` over the blocks, or null. */
static uint64_t *count_blocks(const assay_placer *p,
                              uint64_t (*count)(const char *, size_t), uint64_t *total)
{
    uint64_t *before = ASSAY_NEW_ARRAY(uint64_t, p->n_blocks + 1);

    if (!before)
        return NULL;
    for (size_t i = 0; i < p->n_blocks; i++)
        before[i + 1] = before[i] + count(p->text.ptr + i * BLOCK, block_length(p, i));
    *total = before[p->n_blocks];
    return before;
}

bool assay_placer_init(assay_placer *p, assay_slice text)
{
    *p = (assay_placer){.text = text,
                        .n_blocks = text.len / BLOCK + (text.len % BLOCK > 0)};
    p->lines = count_blocks(p, count_feeds, &p->n_lines);
    if (!p->lines)
        return false;
    if (text.len > 0 && text.ptr[text.len - 1] != '\n')
        p->n_lines++;
    return true;
}

void assay_placer_clear(assay_placer *p)
{
    assay_mem_free(p->lines);
    assay_mem_free(p->chars);
    *p = (assay_placer){.text = p->text};
}

uint64_t assay_placer_line(const assay_placer *p, uint64_t at)
{
    size_t block = (size_t)at / BLOCK;

    return p->lines[block] + 1 +
           count_feeds(p->text.ptr + block * BLOCK, (size_t)at - block * BLOCK);
}

/* The block that holds the thing with `number` before it. */
static size_t find_block(const uint64_t *before, size_t n_blocks, uint64_t number)
{
    size_t low = 0;
    size_t high = n_blocks;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (before[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where line `line` (from 0) begins; the end of the text when there is none. */
static uint64_t line_start(const assay_placer *p, uint64_t line)
{
    size_t at;
    uint64_t n;

    if (line == 0 || p->n_blocks == 0)
        return 0;
    if (line >= p->n_lines)
        return p->text.len;
    /* behind line feed number line - 1 */
    at = find_block(p->lines, p->n_blocks, line - 1);
    n = p->lines[at];
    at *= BLOCK;
    for (;;) {
        const char *feed = memchr(p->text.ptr + at, '\n', p->text.len - at);

        if (!feed)
            return p->text.len;
        at = (size_t)(feed - p->text.ptr) + 1;
        if (++n == line)
            return at;
    }
}

/* Where character `number` begins; the end of the text when there is none. */
static uint64_t char_start(const assay_placer *p, uint64_t number)
{
    size_t at;
    uint64_t n;

    if (number >= p->n_chars)
        return p->text.len;
    at = find_block(p->chars, p->n_blocks, number);
    n = p->chars[at];
    at *= BLOCK;
    for (;; at++) {
        if (((unsigned char)p->text.ptr[at] & 0xC0) == 0x80)
            continue;
        if (n++ == number)
            return at;
    }
}

static assay_span snap(assay_slice text, assay_span span)
{
    while (!assay_fold_is_boundary(text, (size_t)span.start))
        span.start--;
    while (!assay_fold_is_boundary(text, (size_t)span.end))
        span.end++;
    return span;
}

bool assay_placer_span(assay_placer *p, assay_place place, assay_span where,
                       assay_span *out, bool *is_inside)
{
    uint64_t size = p->text.len;
    assay_span span = where;
    bool is_whole = where.start < where.end;

    if (place == ASSAY_PLACE_LINES) {
        is_whole = where.start > 0 && where.start <= where.end;
        size = p->n_lines;
        span.start = line_start(p, where.start ? where.start - 1 : 0);
        span.end = where.end < size ? line_start(p, where.end) : p->text.len;
    } else if (place == ASSAY_PLACE_CHARS) {
        if (!p->chars)
            p->chars = count_blocks(p, count_chars, &p->n_chars);
        if (!p->chars)
            return false;
        size = p->n_chars;
        span.start = char_start(p, where.start);
        span.end = char_start(p, where.end);
    }
    *is_inside = is_whole && where.end <= size;
    if (span.end > p->text.len)
        span.end = p->text.len;
    if (span.start > span.end)
        span.start = span.end;
    *out = snap(p->text, span);
    return true;
}

void assay_placer_name(assay_place place, assay_span where, char *out, size_t size)
{
    static const char *const unit[] = {"", "bytes", "characters", "lines"};

    if (place == ASSAY_PLACE_LINES && where.start == where.end)
        snprintf(out, size, "line %" PRIu64, where.start);
    else
        snprintf(out, size, "%s %" PRIu64 "-%" PRIu64, unit[place], where.start,
                 where.end);
}

const char *assay_placer_reason(const assay_placer *p, assay_place place,
                                assay_span where, assay_arena *arena)
{
    char name[64];
    char text[128];
    uint64_t size = place == ASSAY_PLACE_LINES   ? p->n_lines
                    : place == ASSAY_PLACE_CHARS ? p->n_chars
                                                 : p->text.len;

    assay_placer_name(place, where, name, sizeof name);
    if (place == ASSAY_PLACE_LINES && where.start == 0)
        snprintf(text, sizeof text, "%s, but lines count from 1", name);
    else if (where.start > where.end)
        snprintf(text, sizeof text, "%s end before they begin", name);
    else if (where.start == where.end && place != ASSAY_PLACE_LINES)
        snprintf(text, sizeof text, "%s are empty", name);
    else
        snprintf(text, sizeof text, "%s, but the document has %" PRIu64, name, size);
    return assay_arena_string(arena, assay_slice_of(text));
}
