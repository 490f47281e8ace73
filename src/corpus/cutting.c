/* SPDX-License-Identifier: Apache-2.0 */
/* Collecting the spans and headings of one document. */
#include "corpus/cutting.h"

#include <assert.h>

#include "base/mem.h"
#include "base/scan.h"
#include "base/slice.h"
#include "corpus/markdown.h"

assay_cutting assay_cutting_of(const assay_document *doc, assay_arena *arena)
{
    return (assay_cutting){
        .text = doc->text,
        .arena = arena,
        .body = assay_slice_starts(doc->text, "\xEF\xBB\xBF") ? 3 : 0,
    };
}

/* ---- white space ---- */

uint64_t assay_cutting_skip_space(assay_slice text, uint64_t at, uint64_t end)
{
    while (at < end && assay_scan_is_space(text.ptr[at]))
        at++;
    return at;
}

uint64_t assay_cutting_trim(assay_slice text, uint64_t start, uint64_t end)
{
    while (end > start && assay_scan_is_space(text.ptr[end - 1]))
        end--;
    return end;
}

bool assay_cutting_paragraph(assay_slice text, uint64_t *at, uint64_t end,
                             assay_span *out)
{
    uint64_t first = assay_cutting_skip_space(text, *at, end);
    uint64_t start = first;
    uint64_t next;

    if (first == end)
        return false;
    /* Its indentation belongs to it. */
    while (start > *at && text.ptr[start - 1] != '\n')
        start--;
    for (uint64_t line = first;;) {
        const char *feed = memchr(text.ptr + line, '\n', end - line);
        uint64_t after;

        next = feed ? (uint64_t)(feed - text.ptr) + 1 : end;
        after = next;
        while (after < end && assay_scan_is_space(text.ptr[after]) &&
               text.ptr[after] != '\n')
            after++;
        if (after == end || text.ptr[after] == '\n')
            break;
        line = after;
    }
    *out = (assay_span){start, assay_cutting_trim(text, start, next)};
    *at = next;
    return true;
}

/* ---- chunks ---- */

static void put(assay_cutting *c, uint64_t start, uint64_t end)
{
    assay_span *grown = c->span;

    assert(start < end && end <= c->text.len);
    assert(c->n == 0 || c->span[c->n - 1].start <= start);
    if (c->has_failed)
        return;
    if (c->n == c->cap)
        grown = assay_mem_grow(c->span, &c->cap, c->n + 1, sizeof *c->span);
    if (!grown || c->n == ASSAY_NONE - 1) {
        c->has_failed = true;
        return;
    }
    c->span = grown;
    c->span[c->n++] = (assay_span){start, end};
}

void assay_cutting_add(assay_cutting *cutting, uint64_t start, uint64_t end)
{
    assay_slice text = cutting->text;
    uint64_t last = assay_cutting_trim(text, start, end);
    uint64_t first;

    if (last == start)
        return;
    first = assay_cutting_skip_space(text, start, last);
    while (first > start && text.ptr[first - 1] != '\n')
        first--;
    put(cutting, first, last);
}

void assay_cutting_add_exact(assay_cutting *cutting, uint64_t start, uint64_t end)
{
    if (assay_cutting_skip_space(cutting->text, start, end) < end)
        put(cutting, start, end);
}

/* ---- headings ---- */

void assay_cutting_heading(assay_cutting *cutting, uint64_t start, uint32_t level,
                           assay_slice text)
{
    size_t n = cutting->n_headings;
    assay_heading *grown = cutting->heading;
    uint32_t above = n ? (uint32_t)(n - 1) : ASSAY_NONE;

    if (cutting->has_failed)
        return;
    if (n == cutting->cap_headings)
        grown = assay_mem_grow(cutting->heading, &cutting->cap_headings, n + 1,
                               sizeof *cutting->heading);
    if (!grown || n == ASSAY_NONE - 1) {
        cutting->has_failed = true;
        return;
    }
    cutting->heading = grown;
    /* It ends every section of its own level or below. */
    while (above != ASSAY_NONE && grown[above].level >= level) {
        grown[above].section.end = start;
        above = grown[above].parent;
    }
    grown[n] = (assay_heading){
        .text = text,
        .parent = above,
        .level = level,
        .section = {start, cutting->text.len},
    };
    cutting->n_headings++;
}

static bool take_heading(void *ctx, const assay_md_block *block)
{
    assay_cutting *cutting = ctx;

    if (block->kind == ASSAY_MD_HEADING)
        assay_cutting_heading(cutting, block->span.start, block->level, block->text);
    return !cutting->has_failed;
}

void assay_cutting_find_headings(assay_cutting *cutting, const assay_document *doc)
{
    if (doc->form == ASSAY_FORM_MARKDOWN)
        (void)assay_md_scan(doc->text, take_heading, cutting);
}

/* ---- the end ---- */

static void fill_chunks(const assay_cutting *c, assay_chunk *chunk, assay_span *span)
{
    uint32_t heading = ASSAY_NONE;
    size_t next = 0;

    for (size_t i = 0; i < c->n; i++) {
        span[i] = c->span[i];
        for (; next < c->n_headings && c->heading[next].section.start <= span[i].start;
             next++)
            heading = (uint32_t)next;
        chunk[i] = (assay_chunk){.span = &span[i], .n_spans = 1, .heading = heading};
    }
}

bool assay_cutting_finish(assay_cutting *cutting, assay_chunks *out)
{
    size_t n = cutting->n;
    size_t n_headings = cutting->n_headings;
    assay_chunk *chunk = NULL;
    assay_span *span = NULL;
    assay_heading *heading = NULL;

    if (!cutting->has_failed) {
        chunk = ASSAY_ARENA_ARRAY(cutting->arena, assay_chunk, n);
        span = ASSAY_ARENA_ARRAY(cutting->arena, assay_span, n);
        heading = ASSAY_ARENA_ARRAY(cutting->arena, assay_heading, n_headings);
    }
    if (chunk && span && heading) {
        fill_chunks(cutting, chunk, span);
        if (n_headings)
            memcpy(heading, cutting->heading, n_headings * sizeof *heading);
        *out = (assay_chunks){chunk, (uint32_t)n, heading, (uint32_t)n_headings};
    } else {
        cutting->has_failed = true;
    }
    assay_mem_free(cutting->span);
    assay_mem_free(cutting->heading);
    cutting->span = NULL;
    cutting->heading = NULL;
    return !cutting->has_failed;
}
