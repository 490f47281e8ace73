/* SPDX-License-Identifier: Apache-2.0 */
/* lines: windows of lines, for code.
 *
 * In its last quarter a window rather ends before a line that begins in the first column
 * behind a blank line, else behind a blank line, else before a line in the first column;
 * in full only where there is none of these.  Overlap goes back whole lines. */
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/scan.h"
#include "corpus/packer.h"

enum { SIZE, OVERLAP, MAX };

/* The lines of the open window. */
typedef struct window {
    uint64_t *line; /* where each begins; line[n] is where the next one does */
    size_t n;
    size_t size;  /* lines, at most */
    uint64_t max; /* bytes, at most */
} window;

static bool is_blank(assay_slice text, uint64_t start, uint64_t end)
{
    return assay_cutting_skip_space(text, start, end) == end;
}

/* How good a place line i > 0 of the window is to begin a chunk with; higher is better. */
static int rank(assay_slice text, const window *w, size_t i)
{
    char first = text.ptr[w->line[i]];
    bool is_top = !assay_scan_is_space(first) && first != '}' && first != ')';
    bool is_behind = is_blank(text, w->line[i - 1], w->line[i]);

    return (is_behind ? 2 : 0) + (is_top ? 1 : 0);
}

/* How many lines of the full window go into its chunk: > overlap where there are. */
static size_t choose(assay_slice text, const window *w, size_t overlap)
{
    size_t least = w->n - w->n / 4;
    size_t best = w->n;
    int best_rank = 0;

    if (least <= overlap)
        least = overlap + 1;
    for (size_t i = w->n - 1; i >= least; i--) {
        int r = rank(text, w, i);

        if (r > best_rank) {
            best_rank = r;
            best = i;
        }
    }
    return best;
}

static uint64_t line_end(assay_slice text, uint64_t at)
{
    const char *feed = memchr(text.ptr + at, '\n', text.len - at);

    return feed ? (uint64_t)(feed - text.ptr) + 1 : text.len;
}

/* Add lines until the window is full or the text is at its end. */
static void fill(assay_slice text, window *w)
{
    while (w->n < w->size && w->line[w->n] < text.len) {
        uint64_t end = line_end(text, w->line[w->n]);

        if (end - w->line[0] > w->max)
            return;
        w->line[++w->n] = end;
    }
}

/* A line that is above the maximum by itself: what is behind it starts anew. */
static void split_line(assay_cutting *cutting, window *w)
{
    uint64_t start = w->line[0];
    uint64_t end = line_end(cutting->text, start);

    while (end - start > w->max && !cutting->has_failed) {
        uint64_t at = assay_packer_break(cutting->text, start, start, w->max, end);

        assay_cutting_add(cutting, start, at);
        start = at;
    }
    assay_cutting_add(cutting, start, end);
    w->line[0] = end;
}

/* How many of the n lines that went into a chunk the next one repeats: there must be
 * room for a new one behind them. */
static size_t repeat(assay_slice text, const window *w, size_t n, size_t overlap)
{
    size_t keep = overlap < n ? overlap : n - 1;
    uint64_t end = n < w->n ? w->line[n + 1] : line_end(text, w->line[n]);

    while (keep && end - w->line[n - keep] > w->max)
        keep--;
    return keep;
}

static void cut_windows(assay_cutting *cutting, size_t overlap, window *w)
{
    assay_slice text = cutting->text;

    w->line[0] = cutting->body;
    while (w->line[0] < text.len && !cutting->has_failed) {
        size_t n;
        size_t keep;

        fill(text, w);
        if (w->n == 0) {
            split_line(cutting, w);
            continue;
        }
        n = w->line[w->n] < text.len ? choose(text, w, overlap) : w->n;
        assay_cutting_add(cutting, w->line[0], w->line[n]);
        if (w->line[n] == text.len)
            return;
        keep = repeat(text, w, n, overlap);
        memmove(w->line, w->line + n - keep, (w->n - n + keep + 1) * sizeof *w->line);
        w->n -= n - keep;
    }
}

static bool cut(const assay_chunking *chunking, const assay_document *doc,
                assay_arena *arena, assay_chunks *out)
{
    assay_cutting cutting = assay_cutting_of(doc, arena);
    window w = {
        .size = chunking->value[SIZE],
        .max = (uint64_t)chunking->value[MAX] * ASSAY_TOKEN_BYTES,
    };

    w.line = ASSAY_NEW_ARRAY(uint64_t, w.size + 1);
    if (!w.line)
        cutting.has_failed = true;
    else
        cut_windows(&cutting, chunking->value[OVERLAP], &w);
    assay_mem_free(w.line);
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

const assay_chunker assay_chunker_lines = {
    .name = "lines",
    .summary = "windows of lines, for code; ends rather at a blank line",
    .version = 1,
    .param = {{"size", 80, 1, 1000000, "lines in a window, at most"},
              {"overlap", 20, 0, 999999, "lines shared with the window before"},
              {"max", 4000, 4, 1000000, "tokens (bytes / 3) above which one is split"}},
    .cut = cut,
    .check = check,
};
