/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/units.h"

#include <string.h>

#include "base/scan.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "text/sentences.h"

enum { MOST_BYTES = 1200 }; /* of one unit: code and tables have no sentences */

/* ---- spans ---- */

/* Whether the text is the spans one after the other, joined by a line feed, as
 * assay_chunk_text makes it. */
static bool is_mapped(const assay_source_chunk *chunk)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < chunk->n_spans; i++)
        bytes += chunk->span[i].end - chunk->span[i].start + (i > 0);
    return chunk->n_spans && bytes == chunk->text.len;
}

/* The stretch of text, one span, that `at` stands in or before; *span is its number. */
static size_t stretch_end(const assay_source_chunk *chunk, size_t at, uint32_t *span)
{
    uint64_t end = 0;

    if (!is_mapped(chunk))
        return chunk->text.len;
    for (uint32_t i = 0; i < chunk->n_spans; i++) {
        end += chunk->span[i].end - chunk->span[i].start + (i > 0);
        if (at < end) {
            *span = i;
            return (size_t)end;
        }
    }
    return chunk->text.len;
}

assay_span assay_unit_place(const assay_source_chunk *chunk, size_t start, size_t end)
{
    uint32_t span = 0;
    size_t behind = stretch_end(chunk, start, &span);

    if (!chunk->n_spans)
        return (assay_span){0, 0};
    if (is_mapped(chunk) && end <= behind)
        return (assay_span){chunk->span[span].end - (behind - start),
                            chunk->span[span].end - (behind - end)};
    if (chunk->n_spans == 1 || !chunk->chunk.len)
        return (assay_span){chunk->span[0].start, chunk->span[chunk->n_spans - 1].end};
    return (assay_span){0, 0};
}

/* ---- lines of Markdown ---- */

/* Length of what begins a list item or a quotation, with the blanks behind it, or 0. */
static size_t mark_length(assay_slice s)
{
    size_t n = 0;

    if (s.len && strchr("-*+>", s.ptr[0]) && s.ptr[0])
        n = 1;
    else
        while (n < s.len && n < 3 && s.ptr[n] >= '0' && s.ptr[n] <= '9')
            n++;
    if (n && s.ptr[0] >= '0' && s.ptr[0] <= '9')
        n = n < s.len && (s.ptr[n] == '.' || s.ptr[n] == ')') ? n + 1 : 0;
    if (!n || n >= s.len || s.ptr[n] != ' ')
        return 0;
    while (n < s.len && s.ptr[n] == ' ')
        n++;
    return n;
}

static bool begins_something(assay_slice s)
{
    while (s.len && (s.ptr[0] == ' ' || s.ptr[0] == '\t')) {
        s.ptr++;
        s.len--;
    }
    return s.len && (s.ptr[0] == '#' || s.ptr[0] == '|' || s.ptr[0] == '\n' ||
                     assay_slice_starts(s, "```") || mark_length(s) > 0);
}

/* The end of the line at `at`, or of the last one before a line that begins something. */
static size_t block_end(assay_slice s, size_t at, bool is_line)
{
    for (size_t i = at; i < s.len; i++)
        if (s.ptr[i] == '\n' &&
            (is_line || begins_something((assay_slice){s.ptr + i + 1, s.len - i - 1})))
            return i;
    return s.len;
}

/* The place behind a block of code that begins at `at`, or `at`: code is no sentence. */
static size_t skip_code(assay_slice s, size_t at)
{
    static const char fence[] = "```";
    assay_slice rest = {s.ptr + at, s.len - at};
    assay_slice line;

    if (!assay_slice_starts(rest, fence) || !assay_slice_part(&rest, '\n', &line))
        return at;
    while (assay_slice_part(&rest, '\n', &line))
        if (assay_slice_starts(assay_slice_trim(line), fence))
            break;
    return s.len - rest.len;
}

/* ---- units ---- */

static bool is_space(char c)
{
    return assay_scan_is_space(c);
}

bool assay_unit_next(const assay_source_chunk *chunk, size_t *at, assay_unit *out)
{
    assay_slice text = chunk->text;
    uint32_t span = 0;
    size_t from = *at;
    size_t end;
    bool is_heading;

    do {
        while (from < text.len && is_space(text.ptr[from]))
            from++;
        end = from;
        from = skip_code(text, from);
    } while (from > end);
    if (from >= text.len)
        return false;
    is_heading = text.ptr[from] == '#';
    text.len = stretch_end(chunk, from, &span);
    text.len = block_end(text, from, is_heading || text.ptr[from] == '|');
    from += mark_length((assay_slice){text.ptr + from, text.len - from});
    end = from < text.len && !is_heading ? assay_sentence_end(text, from) : text.len;
    if (end - from > MOST_BYTES)
        end = assay_utf8_floor(text, from + MOST_BYTES);
    *at = end;
    while (end > from && is_space(text.ptr[end - 1]))
        end--;
    *out = (assay_unit){from, end, is_heading};
    return true;
}
