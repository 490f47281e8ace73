/* SPDX-License-Identifier: Apache-2.0 */
/* Packing pieces into chunks. */
#include "corpus/packer.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "text/sentences.h"

assay_status assay_packer_check(const assay_chunking *chunking, assay_error *err)
{
    uint32_t target = chunking->value[ASSAY_PACK_TARGET];
    uint32_t overlap = chunking->value[ASSAY_PACK_OVERLAP];
    uint32_t max = chunking->value[ASSAY_PACK_MAX];

    if (overlap > target / 2)
        return assay_fail(err, ASSAY_EUSAGE,
                          "%s: overlap=%u is more than half of target=%u",
                          chunking->chunker->name, overlap, target);
    if (target > max)
        return assay_fail(err, ASSAY_EUSAGE, "%s: target=%u is more than max=%u",
                          chunking->chunker->name, target, max);
    return ASSAY_OK;
}

assay_packer assay_packer_of(const assay_chunking *chunking, assay_cutting *out)
{
    return (assay_packer){
        .out = out,
        .target = (uint64_t)chunking->value[ASSAY_PACK_TARGET] * ASSAY_TOKEN_BYTES,
        .overlap = (uint64_t)chunking->value[ASSAY_PACK_OVERLAP] * ASSAY_TOKEN_BYTES,
        .max = (uint64_t)chunking->value[ASSAY_PACK_MAX] * ASSAY_TOKEN_BYTES,
    };
}

/* ---- where to break ---- */

static uint64_t last_line_break(assay_slice text, uint64_t least, uint64_t limit)
{
    for (uint64_t at = limit; at > least; at--)
        if (text.ptr[at - 1] == '\n')
            return at;
    return 0;
}

static uint64_t last_sentence(assay_slice text, uint64_t start, uint64_t least,
                              uint64_t limit, uint64_t end)
{
    const assay_slice window = {text.ptr + start, end - start};
    uint64_t found = 0;

    /* The window reaches behind the limit, so that a stop just before it is not taken
     * for the text's end. */
    for (size_t at = 0; at < window.len && start + at < limit;) {
        at = assay_sentence_end(window, at);
        if (start + at > least && start + at <= limit)
            found = start + at;
        while (at < window.len && assay_scan_is_space(window.ptr[at]))
            at++;
    }
    return found;
}

static uint64_t last_word_break(assay_slice text, uint64_t least, uint64_t limit)
{
    for (uint64_t at = limit; at > least; at--)
        if (assay_scan_is_space(text.ptr[at - 1]))
            return at;
    return 0;
}

uint64_t assay_packer_break(assay_slice text, uint64_t start, uint64_t least,
                            uint64_t most, uint64_t end)
{
    enum { LOOK_AHEAD = 64 };
    uint64_t limit = start + most;
    uint64_t ahead = end - limit < LOOK_AHEAD ? end : limit + LOOK_AHEAD;
    uint64_t at;

    assert(limit < end && least < limit);
    at = last_line_break(text, least, limit);
    if (!at)
        at = last_sentence(text, start, least, limit, ahead);
    if (!at)
        at = last_word_break(text, least, limit);
    if (!at)
        at = assay_utf8_floor(text, limit);
    return at;
}

/* ---- overlap ---- */

/* The first sentence of [start, end) that begins at `least` or later; `end` = none. */
static uint64_t sentence_after(assay_slice text, uint64_t start, uint64_t least,
                               uint64_t end)
{
    const assay_slice window = {text.ptr + start, end - start};
    size_t at = 0;

    while (at < window.len && start + at < least) {
        at = assay_sentence_end(window, at);
        while (at < window.len && assay_scan_is_space(window.ptr[at]))
            at++;
    }
    return start + at;
}

static uint64_t line_after(assay_slice text, uint64_t least, uint64_t end)
{
    const char *feed = memchr(text.ptr + least - 1, '\n', end - least + 1);

    return feed ? (uint64_t)(feed - text.ptr) + 1 : end;
}

static uint64_t word_after(assay_slice text, uint64_t least, uint64_t end)
{
    for (uint64_t at = least; at < end; at++)
        if (assay_scan_is_space(text.ptr[at]))
            return assay_cutting_skip_space(text, at, end);
    return end;
}

/* Where the part behind [start, end) of a piece begins so that it repeats at most the
 * overlap: with a sentence or a line, else a word, else a character; `end` = nowhere. */
static uint64_t repeat_from(const assay_packer *p, uint64_t start, uint64_t end,
                            bool is_prose)
{
    assay_slice text = p->out->text;
    uint64_t least = end - start > p->overlap + 1 ? end - p->overlap : start + 1;
    uint64_t at;

    if (p->overlap == 0 || least >= end)
        return end;
    at =
        is_prose ? sentence_after(text, start, least, end) : line_after(text, least, end);
    if (at >= end)
        at = word_after(text, least, end);
    if (at >= end)
        at = assay_utf8_floor(text, least);
    return at > start ? at : end;
}

/* Where the chunk with `next` begins: behind the open chunk, or inside of it. */
static uint64_t seed(const assay_packer *p, assay_span next)
{
    uint64_t least = p->end > p->overlap ? p->end - p->overlap : 0;
    uint64_t at;

    if (next.end > p->target && least < next.end - p->target)
        least = next.end - p->target;
    if (least <= p->start)
        least = p->start + 1;
    for (size_t i = 0; i < p->n_pieces; i++)
        if (p->piece[i] >= least)
            return p->piece[i];
    if (!p->overlap || !p->is_prose || least >= p->end || p->n_pieces == 0)
        return next.start;
    at = sentence_after(p->out->text, p->piece[p->n_pieces - 1], least, p->end);
    return at < p->end ? at : next.start;
}

/* ---- pieces ---- */

static void remember(assay_packer *p, uint64_t start)
{
    uint64_t *grown = p->piece;

    if (p->n_pieces == p->cap)
        grown = assay_mem_grow(p->piece, &p->cap, p->n_pieces + 1, sizeof *p->piece);
    if (!grown) {
        p->out->has_failed = true;
        return;
    }
    p->piece = grown;
    p->piece[p->n_pieces++] = start;
}

/* Forget the pieces that begin before `start`. */
static void forget(assay_packer *p, uint64_t start)
{
    size_t first = 0;

    while (first < p->n_pieces && p->piece[first] < start)
        first++;
    for (size_t i = first; i < p->n_pieces; i++)
        p->piece[i - first] = p->piece[i];
    p->n_pieces -= first;
}

void assay_packer_flush(assay_packer *packer)
{
    if (packer->end > packer->start)
        assay_cutting_add(packer->out, packer->start, packer->end);
    packer->start = packer->end;
    packer->n_pieces = 0;
    packer->is_head = false;
}

static void open_at(assay_packer *p, uint64_t start, uint64_t end, bool is_prose)
{
    p->start = start;
    p->end = end;
    p->n_pieces = 0;
    p->is_head = false;
    p->is_prose = is_prose;
    remember(p, start);
}

/* A piece above the maximum; its last part stays open. */
static void split(assay_packer *p, assay_span piece, bool is_prose)
{
    assay_slice text = p->out->text;
    uint64_t start = piece.start;
    uint64_t done = start; /* all before this is in a chunk, or white space */

    assay_packer_flush(p);
    while (piece.end - start > p->max && !p->out->has_failed) {
        uint64_t at = assay_packer_break(text, start, done, p->max, piece.end);
        uint64_t next = repeat_from(p, start, at, is_prose);

        assay_cutting_add(p->out, start, at);
        start = next < at ? next : assay_cutting_skip_space(text, at, piece.end);
        done = start > at ? start : at;
    }
    open_at(p, start, piece.end, is_prose);
}

void assay_packer_add(assay_packer *packer, assay_span piece, bool is_prose)
{
    assay_packer *p = packer;
    bool is_open = p->end > p->start;
    uint64_t size = piece.end - p->start;

    if (p->out->has_failed)
        return;
    if (is_open && size > p->target && !(p->is_head && size <= p->max)) {
        uint64_t start =
            piece.end - piece.start < p->target ? seed(p, piece) : piece.start;

        assay_cutting_add(p->out, p->start, p->end);
        forget(p, start);
        p->start = start;
        p->end = start;
        p->is_head = false;
        is_open = start < piece.start;
        /* A chunk may begin with a sentence in the middle of a piece. */
        if (is_open && p->n_pieces == 0)
            remember(p, start);
    }
    if (piece.end - piece.start > p->max) {
        split(p, piece, is_prose);
        return;
    }
    if (!is_open) {
        open_at(p, piece.start, piece.end, is_prose);
        return;
    }
    remember(p, piece.start);
    p->end = piece.end;
    p->is_head = false;
    p->is_prose = is_prose;
}

void assay_packer_head(assay_packer *packer, assay_span piece)
{
    assay_packer_flush(packer);
    assay_packer_add(packer, piece, false);
    packer->is_head = packer->n_pieces == 1 && packer->start == piece.start;
}

void assay_packer_end(assay_packer *packer)
{
    assay_packer_flush(packer);
    assay_mem_free(packer->piece);
    packer->piece = NULL;
}
